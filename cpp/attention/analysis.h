// Measures of attention, one concept a header: an index.
#pragma once

#include "attention/audit.h"     // what must hold of weights and outputs, and how far it holds
#include "attention/cost.h"      // exact counts of operations and bytes
#include "attention/mixing.h"    // entropy of rows, rollout through layers
#include "attention/subspace.h"  // singular values, rank, angles between column spaces
