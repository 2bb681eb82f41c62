import { expect, test } from 'vitest'
import { openMetrics } from '../../src/api/metrics.ts'

test('responses are counted by status and by time, and what was not used yet is 0', async () => {
  const metrics = openMetrics()
  metrics.operation('unused')
  const record = metrics.operation('used')
  for (const milliseconds of [1, 2, 20, 60_000]) record(200, milliseconds)
  record(503, 3)
  metrics.countCached(true)
  const lines = (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('lotline_'))
  expect(lines).toEqual(
    expect.arrayContaining([
      'lotline_requests_total{operation="used",status="200"} 4',
      'lotline_requests_total{operation="used",status="503"} 1',
      'lotline_cache_requests_total{result="hit"} 1',
      'lotline_cache_requests_total{result="miss"} 0',
      'lotline_request_seconds_bucket{le="0.001",operation="used"} 1',
      'lotline_request_seconds_bucket{le="0.005",operation="used"} 3',
      'lotline_request_seconds_bucket{le="0.02",operation="used"} 4',
      'lotline_request_seconds_bucket{le="10",operation="used"} 4',
      'lotline_request_seconds_bucket{le="+Inf",operation="used"} 5',
      'lotline_request_seconds_sum{operation="used"} 60.026',
      'lotline_request_seconds_count{operation="unused"} 0',
    ]),
  )
})
