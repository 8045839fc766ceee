// Random streams for JavaScript: the same numbers as NumPy and PyTorch give for the same seed.
//
//   new NumpyLegacy(seed)          np.random.seed(seed);           seed an integer, 0 ≤ seed < 2³²
//     .normal(out, count, mean, std)   normal(mean, std, count), randn(count) with mean 0 and std 1
//     .random(out, count)              rand(count), random(count)
//   new NumpyGenerator(seed)       np.random.default_rng(seed);    seed an integer, 0 ≤ seed < 2⁵³
//     .normal(out, count, mean, std)   normal(mean, std, count)
//     .random(out, count)              random(count)
//   new TorchGenerator(seed)       torch.manual_seed(seed);        seed an integer, 0 ≤ seed < 2⁵³
//     .randn(out, count)               torch.randn(count)
//     .rand(out, count)                torch.rand(count)
//     .linear(in, out, weight, bias)   nn.Linear(in, out): weight float32[out·in], bias float32[out]
//                                      (bias 0 = nn.Linear(in, out, bias=False))
//   each: .stateBytes()                how many bytes hold the stream's whole state
//         .saveState(to)               copies the state to an address, 16-aligned
//         .loadState(from)             goes on as the stream did whose state was saved
//         .delete()                    frees the object
//
// JavaScript keeps the states, so a stream needs no dispose() and nothing can leak: one object of
// each class draws for all streams of its kind. The classes are trivially copyable, hence memcpy.
//
// `out` is an address: float64[count] for the two NumPy streams, float32[count] for PyTorch's.
// Methods return nothing and cannot fail; count may be 0.
//
// A stream goes on where the last call ended. NumPy's streams may be drawn in pieces: two calls of
// 3 and 5 give what one of 8 gives. PyTorch's randn may not: it fills 16 and more numbers by another
// rule than fewer, so each call must ask for as many as the PyTorch call it stands for.
