/**
 * What a page needs of one line of HTML: `<script type="module" src="…/attention-lab.js">`. It defines all elements
 * and remembers where it came from, so that a figure's menu can say how to embed it.
 */
import { pageRegistry } from '../page-registry.js'
import './define.js'

pageRegistry().home ??= import.meta.url.replace(/[^/]*$/, '')
