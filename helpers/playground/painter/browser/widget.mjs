// The widget's two life-cycle methods, as anywidget calls them.

import { Store } from "./store.mjs";
import { View } from "./view.mjs";

// A function, not an object: it runs once for each widget, whose views then share one store.
export default () => {
  let store;
  return {
    initialize({ model }) {
      store = new Store(model);
      return () => store.close();
    },
    render({ el, signal }) {
      new View(store, el, signal);
    },
  };
};
