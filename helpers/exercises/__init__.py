"""What readers do in the notebooks: guess before a run, and write a function that is checked.

`Guess` keeps a guess and compares it later. Each notebook's exercise is a file of its own, named
as the notebook is without its number.
"""

from helpers.exercises.guess import Guess as Guess
from helpers.exercises.guess import score as score
