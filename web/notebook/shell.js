/**
 * What Jupyter gets as the module of each widget: next to nothing, since Jupyter sends it anew for each widget
 * and writes each into the saved notebook. The code itself is a trait of one more model, which all widgets of its
 * kind refer to, and is imported once for a page.
 */
import { importText } from './text-module.js'

/** @import { HostModel, RenderProps, Widget } from './host-model.js' */

/** @type {Widget} */
const shell = {
  initialize() {},
  async render(props) {
    const widget = await widgetOf(props.model)
    return widget.render(props)
  },
}

export default shell

/**
 * @param {RenderProps['model']} model
 * @returns {Promise<Widget>}
 */
async function widgetOf(model) {
  // ipywidgets writes references to models so.
  const id = model.get('_attention_lab_code').replace(/^IPY_MODEL_/, '')
  const code = /** @type {HostModel} */ (await model.widget_manager?.get_model(id))
  return importText(code.get('fingerprint'), code.get('text'))
}
