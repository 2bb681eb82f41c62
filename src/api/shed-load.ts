// Overload is answered early: while the event loop lags, the API says 503 and when to come back.
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../contract/errors.ts'
import { answerError } from './errors.ts'

const sampleMs = 1_000
const retryAfterSeconds = 2

/** One slow second is no overload: every start has one, while its modules load. */
const samplesOfStrain = 2

/** Sheds once the loop has lagged by `lagMs` for two samples running; 0 never. Health checks are always answered. */
export const shedLoad = (app: FastifyInstance, lagMs: number) => {
  let strained = 0
  app.register(underPressure, {
    maxEventLoopDelay: lagMs,
    sampleInterval: sampleMs,
    exposeStatusRoute: false,
    pressureHandler: (request, reply) => {
      if (strained >= samplesOfStrain && request.url.startsWith('/api/'))
        answerError(unavailable(retryAfterSeconds), request, reply)
    },
  })
  let timer: NodeJS.Timeout | undefined
  app.addHook('onReady', async () => {
    timer = setInterval(() => {
      strained = app.isUnderPressure() ? strained + 1 : 0
    }, sampleMs).unref()
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
