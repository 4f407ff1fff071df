"""The course's code, read from top to bottom; imports only ever point up this list.

masks        boolean masks: True = frozen, everywhere
bits         which cells changed, judged by their bits
datasets     real and made data that need no network
device       TensorFlow, started quietly, on the GPU when there is one
plots        static pictures of a grid: heatmaps, before / after / moved, an animation
charts       what was measured over several seeds, as dots, curves, rows of pictures
techniques   every recipe for freezing cells, one short function each
slots        what an optimizer keeps for each cell, and whose it is
in_use       whether any mask freezes anything: if none does, a step costs nothing more
freezing     freezable(OptimizerClass): frozen cells keep every bit
networks     small networks for the digits, trained in seconds, and Fisher's information
continual    tasks that one network learns in turn, and whose cells are whose
measures     what else is measured of a classifier: calibration, saliency maps
split        layers whose frozen rows or columns are constants: freezing that pays
painter/     the widget on which a mask is painted with mouse, finger or keys
tasks        what is trained, and which of its cells stand on the grid
optimizers   optimizers by their names, all of them able to freeze cells
training     the compiled training loop: one trace, whatever is chosen
trainer      the thread that trains live, in chunks of a few milliseconds
progress     the loss curve, and how fast it goes
leaks        the laboratory: which recipe leaks under which optimizer, and how far
leak_matrix  the picture of all its verdicts
costs        what freezing costs, as ratios of steps that are timed in turn
worker       one worker of a cluster: trains with frozen cells, and reports
cluster      several workers on this machine, watched while they run
exercises/   guesses that are kept and compared, functions to write that are checked
controls     the playground's buttons and lists
playground   painter + training + bits: the thing people play with
contest      a painted mask against computed ones, at the same budget of free cells
notebooks    executes the notebooks and keeps their files byte-stable
browser      a real JupyterLab in a real Chromium, for the tests and the bench
bench/       measurements, each a table of medians and ratios
environment  the Python that everything runs in, built from environment.yml
pins         renews the generated half of environment.yml
__main__     python3 -m helpers lab | test | bench | run | pin
"""
