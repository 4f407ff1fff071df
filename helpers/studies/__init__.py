"""What the notebooks compute beside the playground, or by a playground of their own.

tables      results as text
documentation  pieces of the documentation of four libraries, and a table counted from them
letters     a small model of letters, whose table has ten rows to learn
trials      a small network trained again and again, and Fisher's information
new_words   ten words that a pretrained table does not have, and a small model that learns them
continual   tasks that one network learns in turn
forgetting  ways to keep old tasks, compared over seeds: settings, a table
by_hand     a small network that learns two cameras in turn, frozen by hand between them
rooms       tasks that share out the cells of one network: what is printed and drawn, and a score
transferring  a reader of old digits that learns new ones, parts of it frozen
adapting    a network adapted to turned digits while most of its cells are frozen
contest     a painted mask against computed ones, at the same budget of free cells
by_class    the smallest classifier of digits, from seeds side by side, with cells frozen
turned      upright digits learnt, then turned ones, with layers frozen
corner      what trains and at which rate, chosen on a form: what is learnt against what is kept
dial        a slider for one setting, and a chart of what is found at each value
drawn       a chart that is drawn anew as its sliders move
growing     two digits more beside eight frozen ones: what a leak costs
scenes      two cells, one frozen, in a thaw, beside a clipped neighbour, and at the end
thawing     a hidden layer thawed with three memories, early and late
by_parts    rows of one table into another, some at a time
split       layers whose frozen rows or columns are constants: freezing that pays
costs       what freezing costs, as ratios of steps that are timed in turn; products counted
verdicts    when a step is called shorter or longer, and a chart that says so
way_back    which products of a step frozen layers leave out, on a form
peaks       the most memory that a table of words takes while it trains, in a process of its own
fits        whether the training of a table fits into a machine, beside sliders
elsewhere   what steps took on a GPU, and on a CPU beside it
parting     four steps on several replicas, with settings that spoil a freeze or do not
race        steps with and without XLA, timed in a setting that one chooses
freezeout   a reader whose layers anneal, and freeze, one after the other
"""
