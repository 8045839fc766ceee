import { testLessonPage } from './lesson-page.js'

testLessonPage({
  path: 'lessons/scaled-dot-product-attention/',
  figures: {
    'token-projections': 'Here the page multiplies four tokens',
    'coreference-example': 'Here the page computes the attention of the sentence',
    'attention-steps': 'Here the page follows one query',
    'attention-properties': 'Here the page measures row sums',
    'dot-product-variance': 'Here the page draws thousands of random queries',
    'softmax-saturation': 'Here the page measures how the softmax saturates',
    'attention-gradients': 'Here the page sends a gradient back',
    'polysemy-example': 'Here the page computes the vector of “bank”',
  },
  counts: { headings: 10, claims: 8, tries: 8, figures: 8 },
})
