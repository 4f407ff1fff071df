"""A widget that a page can show a hundred times over: it loads the code once, and keeps nothing of
a widget that is closed.

A page never forgets a module that it has loaded, and anywidget would load one for each widget. And
ipywidgets leaves a widget's layout open when the widget is closed, through which a page keeps the
widget, too.
"""

import hashlib

import anywidget
import traitlets

# Loads the code of the first widget, under a name by its content, and hands that to all others.
# What fails to load is forgotten, so that the next widget tries again.
ONCE = """const load = async (model) => {
  const code = new Blob([model.get("module")], { type: "text/javascript" });
  const address = URL.createObjectURL(code);
  try {
    return await import(address);
  } catch (error) {
    delete globalThis["NAME"];
    throw error;
  } finally {
    URL.revokeObjectURL(address);
  }
};
export default () => {
  let whole;
  return {
    async initialize(context) {
      whole = (await (globalThis["NAME"] ??= load(context.model))).default();
      return whole.initialize?.(context);
    },
    render: (context) => whole.render(context),
  };
};
"""


class Widget(anywidget.AnyWidget):
    """A widget whose subclass says in `javascript` what its module is."""

    javascript = ""
    module = traitlets.Unicode().tag(sync=True)

    def __init_subclass__(cls, **options):
        if "javascript" in vars(cls):  # not for the subclasses that traitlets makes
            name = hashlib.sha256(cls.javascript.encode()).hexdigest()[:16]
            cls._esm = ONCE.replace("NAME", f"freezing-tensors-{name}")
        super().__init_subclass__(**options)

    def __init__(self, **traits):
        super().__init__(module=self.javascript, **traits)

    def set_state(self, sync_data):
        """Ignore what a page would set: nothing has checked it, and a page asks by messages."""

    def close(self):
        """Take the widget from all pages that show it."""
        layout = self.layout
        super().close()
        layout.close()
