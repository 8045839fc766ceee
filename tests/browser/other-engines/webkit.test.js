import { startWebKit } from './webkit.js'
import { testEngine } from './checks.js'

testEngine({ name: 'WebKit', start: startWebKit })
