"""Pictures, static ones, for pages and for readers without a kernel.

plots         heatmaps of a grid, when frozen / now / moved; the colours everybody uses
cells         what a grid's cells look like in whole pixels, frozen and leaked ones
lettering     letters in such pictures, and the names beside a grid
pixels        pictures in whole pixels: a stand-in for a live grid, an animation
charts        what was measured over several seeds, as dots, curves, rows of pictures
microscope    what pinned cells went through, step by step
leak_matrix   the leak laboratory's verdicts, a square each
board         a model's variables as tiles, and the lines of code that moved them
step_drawing  the stations of a training step: where a technique acts, where a leak enters
replicas_drawing  what each device holds, and what is summed between them
"""
