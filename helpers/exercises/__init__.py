"""What readers do in the notebooks: guess before a run, and write a function that is checked.

guess     keeps a guess, and compares it later
exercise  a function to write, judged by what it does

Each notebook's exercise is a file of its own, named as the notebook is without its number.
"""

from helpers.exercises.guess import Guess as Guess
from helpers.exercises.guess import score as score
