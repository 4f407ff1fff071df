"""What readers do in the notebooks: guess before a run, and write a function that is checked.

guess     keeps a guess, and compares it later
painted   a guess that is painted on a grid
tapped    a guess that is made by pressing tiles
exercise  a function to write, judged by what it does

Each notebook's exercise is a file of its own, named as the notebook is without its number.
"""

from helpers.exercises.guess import Estimate as Estimate
from helpers.exercises.guess import Guess as Guess
from helpers.exercises.guess import score as score
from helpers.exercises.painted import Painted as Painted
from helpers.exercises.tapped import Tapped as Tapped
