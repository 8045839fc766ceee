import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ExperimentRun } from '../../../web/exhibits/experiment-run.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/**
 * A step that reports half of its ten trials after 100 ms and ends after 200.
 * @param {string} name
 */
function step(name) {
  const onResult = vi.fn()
  /** @type {AbortSignal[]} */
  const signals = []
  return {
    total: 10,
    onResult,
    signals,
    /** @param {{ signal: AbortSignal, onProgress: (progress: { done: number, result: any }) => void }} watch */
    run: ({ signal, onProgress }) => {
      signals.push(signal)
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        setTimeout(() => onProgress({ done: 5, result: `half of ${name}` }), 100)
        // A worker's last report may come after its result.
        setTimeout(() => onProgress({ done: 10, result: `late ${name}` }), 250)
        setTimeout(() => resolve(name), 200)
      })
    },
  }
}

/** @param {AbortSignal} [signal] */
function newRun(signal = new AbortController().signal) {
  const onChange = vi.fn()
  return { run: new ExperimentRun(signal, onChange), onChange }
}

test('Steps run one after the other, and their results come as they are made', async () => {
  const { run, onChange } = newRun()
  const [first, second] = [step('first'), step('second')]
  run.start([first, second])
  expect([run.isRunning, run.done, run.total]).toEqual([true, 0, 20])
  await vi.advanceTimersByTimeAsync(260)
  expect([run.done, first.onResult.mock.lastCall]).toEqual([5, ['half of first']])
  await vi.advanceTimersByTimeAsync(1000)
  expect(first.onResult.mock.calls).toEqual([['half of first'], ['first']])
  expect(second.onResult.mock.lastCall).toEqual(['second'])
  expect([run.isRunning, run.done, run.wasStopped]).toEqual([false, 20, false])
  expect(onChange).toHaveBeenCalled()
})

test('What is asked for in quick succession is started once, when it has come to rest', async () => {
  const { run } = newRun()
  const steps = Array.from({ length: 5 }, (_, index) => step(String(index)))
  for (const each of steps) {
    run.start([each])
    await vi.advanceTimersByTimeAsync(50)
  }
  await vi.advanceTimersByTimeAsync(1000)
  expect(steps.map(({ signals }) => signals.length)).toEqual([0, 0, 0, 0, 1])
})

test('Another start ends what runs, and nothing of it is shown any more', async () => {
  const { run } = newRun()
  const [first, second] = [step('first'), step('second')]
  run.start([first])
  await vi.advanceTimersByTimeAsync(200)
  run.start([second])
  expect(first.signals[0].aborted).toBe(true)
  await vi.advanceTimersByTimeAsync(1000)
  expect(first.onResult).not.toHaveBeenCalled()
  expect([run.isRunning, run.done]).toEqual([false, 10])
})

test('Stopped, it keeps what has come out, and says so', async () => {
  const { run, onChange } = newRun()
  const only = step('only')
  run.start([only])
  await vi.advanceTimersByTimeAsync(260)
  run.stop()
  expect([run.isRunning, run.wasStopped, run.done]).toEqual([false, true, 5])
  expect(only.signals[0].aborted).toBe(true)
  const told = onChange.mock.calls.length
  await vi.advanceTimersByTimeAsync(1000)
  expect(onChange.mock.calls.length).toBe(told)
  expect(run.takeError()).toBeUndefined()
})

test('An error is told once', async () => {
  const { run, onChange } = newRun()
  const error = new Error('no memory')
  run.start([{ total: 1, run: () => Promise.reject(error), onResult: () => {} }])
  await vi.advanceTimersByTimeAsync(200)
  expect(onChange).toHaveBeenCalledOnce()
  expect(run.isRunning).toBe(false)
  expect(run.takeError()).toBe(error)
  expect(run.takeError()).toBeUndefined()
})

test('It ends with its exhibit', async () => {
  const controller = new AbortController()
  const { run, onChange } = newRun(controller.signal)
  const only = step('only')
  run.start([only])
  await vi.advanceTimersByTimeAsync(160)
  controller.abort()
  await vi.advanceTimersByTimeAsync(1000)
  expect(only.signals[0].aborted).toBe(true)
  expect(onChange).not.toHaveBeenCalled()
})
