import { startFirefox } from './firefox.js'
import { testEngine } from './checks.js'

testEngine({ name: 'Firefox', start: startFirefox, variant: 'relaxed-simd' })
