"""The site: the course without a kernel, as static files. The start page trains in the browser.

build  writes the files into a folder

page/ has what stands on the page, the model that speaks to a worker in a kernel's stead, and that
worker. trainer/ is the trainer in plain JavaScript, laid out as the playground is; a test judges it
against TensorFlow:

philox        TensorFlow's own random numbers, for its batches
softmax       softmax regression: loss and gradients
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
share         what is painted and chosen as a line, at the end of an address
session       a run and who looks on: messages in, traits and frames out
"""
