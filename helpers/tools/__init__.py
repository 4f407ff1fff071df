"""What runs, tests and measures the course; nothing here knows about freezing.

files        files that are written whole or not at all
started      ends a command at an interrupt with a sentence
environment  the Python that everything runs in, built from environment.yml
gpu          the CUDA libraries, for whoever has an NVIDIA GPU
copies       the reader's own copies of the notebooks, without outputs
pins         renews the generated half of environment.yml
address      where the course can be fetched from, wherever that is named
notebooks    executes the notebooks and keeps their files byte-stable
browser      a real JupyterLab in a real Chromium, for the tests and the bench
"""
