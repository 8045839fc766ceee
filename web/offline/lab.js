/**
 * All elements, for a page that is one file (`page.js`): whatever it shows is in it.
 */
import '../elements/define.js'
