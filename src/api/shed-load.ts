// Overload is answered early: while the event loop lags, the API says 503 and when to come back.
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../contract/errors.ts'
import { answerError } from './errors.ts'
import { retrySeconds } from './load-gate.ts'

const sampleMs = 1_000

/** One slow second is no overload: every start has one, while its modules load. */
const samplesOfStrain = 2

export interface Shedding {
  /** How far the loop may lag; 0 never sheds. */
  lagMs: number
  /** What every answer of the API carries: it is turned away before those hooks run. */
  headers: Readonly<Record<string, string>>
  showLimits(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** Sheds once the loop has lagged for two samples running. Health checks are always answered. */
export const shedLoad = (app: FastifyInstance, { lagMs, headers, showLimits }: Shedding) => {
  let strained = 0
  app.register(underPressure, {
    maxEventLoopDelay: lagMs,
    sampleInterval: sampleMs,
    exposeStatusRoute: false,
    pressureHandler: async (request, reply) => {
      if (strained < samplesOfStrain || !request.url.startsWith('/api/')) return
      reply.headers(headers)
      if (request.url.startsWith('/api/v1/')) await showLimits(request, reply)
      answerError(unavailable(retrySeconds), request, reply)
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
