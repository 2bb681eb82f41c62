import { errorCodes } from '../common/errors.ts'
import { flag, literals, object, text } from '../common/shape.ts'

export const ErrorEnvelope = object('Error', 'The body of every error response', {
  success: flag('False: the request failed', { examples: [false] }),
  error: text('What went wrong and what to do next'),
  code: literals(errorCodes, { description: 'Stable error code' }),
})
