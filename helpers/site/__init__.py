"""The site: the course without a kernel, as static files. Its grids train in the browser.

formulas      LaTeX as MathML
headings      what a heading is called, and how an address names it
highlighting  code as HTML, with colours
links         where a link of a notebook leads on the site
prose         markdown cells as HTML
live          which cells show a grid that can train in a page, and with which choices
questions     what a page asks before a run, for readers who answer in thought
alt_texts     what a stored picture shows, in words
cells         the cells of a notebook as a reader without a kernel gets them
course_pages  writes every notebook as a page, and the list in which one can search
given         what the trainer of a live grid begins with
start_page    writes the start page
prepared      playgrounds for teachers to hand out, a link each
build         writes all files into a folder

page/ has the start page, the template of the others, what a page can do by itself (live grids, a
search), the model that speaks to a worker in a kernel's stead, and that worker. trainer/ is the
trainer in plain JavaScript, laid out as the playground is; a test judges it against TensorFlow:

philox        TensorFlow's own random numbers, for its batches
softmax       softmax regression: loss and gradients
linear        a linear layer that learns a picture: the same
tasks         what is trained, and on what
optimizers    the step of each optimizer, number by number
techniques    every recipe for freezing cells
run           a run under way: steps, masks, leaks
painted_mask  a mask under editing
pages         the masks of all classes
operations    carries out what a page asks of a mask
planes        the grid in a frame, as bytes
microscope    what pinned cells go through
goals         the conditions of a page's goals
progress      loss curve, accuracy, and how fast it goes
pace          how many steps are due at the speed that somebody chose
share         what is painted and chosen as a line, at the end of an address
session       a run and who looks on: messages in, traits and frames out
"""
