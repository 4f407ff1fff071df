"""A delivery: a digit reader that is in use learns one more digit, and its old scores must stay.

plan      what somebody decides before the work: which cells train, what holds the others
comments  what a teacher would say about a report
drawing   the cells of a report: which have moved, and how far
report    what became of a delivery, and how many points the contract gives for it
order     the shipped reader, the pictures, and the work itself with its interruption
desk      a form to choose a plan on, with the report below
"""

from helpers.capstone.desk import Desk as Desk
from helpers.capstone.order import Order as Order
from helpers.capstone.plan import Plan as Plan
