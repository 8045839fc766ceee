import { testLessonPage } from './lesson-page.js'

testLessonPage({
  path: 'lessons/subspaces-and-cost/',
  figures: {
    'specialised-heads': 'Here the page shows four attention matrices',
    'fused-projection': 'Here the page draws the way from X',
    'attention-cost': 'Here the page counts operations',
    'head-ranks': 'Here the page computes singular values',
    'head-subspaces': 'Here the page computes cosines',
    'residual-norm': 'Here the page computes the lengths',
  },
  counts: { headings: 9, claims: 7, tries: 6, figures: 6 },
})
