"""The site: the course without a kernel, as static files. The start page trains in the browser.

build  writes the files into a folder

trainer/ is the trainer in plain JavaScript, judged against TensorFlow; page/ has what stands on the
page, and the worker in which the trainer runs.
"""
