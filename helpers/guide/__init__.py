"""Which way: questions that narrow the ways to freeze down, each answer with its evidence.

programs/  a program for each way, which runs alone
ways       the ways to freeze, and what is known of each
questions  what is asked, and which ways an answer leaves
guide      the questions on a form, and what is left below them
"""

from helpers.guide.guide import Guide as Guide
