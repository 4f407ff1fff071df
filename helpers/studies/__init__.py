"""What the notebooks compute beside the playground.

documentation  pieces of the documentation of four libraries, and a table counted from them
letters     a small model of letters, whose table has ten rows to learn
trials      a small network trained again and again, and Fisher's information
continual   tasks that one network learns in turn
transferring  a reader of old digits that learns new ones, parts of it frozen
adapting    a network adapted to turned digits while most of its cells are frozen
by_class    the smallest classifier of digits: which of them it reads, with cells frozen
measures    what else is measured of a classifier: calibration, saliency maps
growing     two digits more beside eight frozen ones: what a leak costs
thawing     a hidden layer thawed with three memories
split       layers whose frozen rows or columns are constants: freezing that pays
costs       what freezing costs, as ratios of steps that are timed in turn; products counted
freezeout   a reader whose layers anneal, and freeze, one after the other
replicas    frozen cells on several logical devices: a script that reports
worker      one worker of a cluster: trains with frozen cells, and reports
cluster     several workers on this machine, watched while they run
tables      results as text
"""
