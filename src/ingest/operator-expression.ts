// Regular expressions from a source's configuration. Some need exponential time on some texts ("(a+)+$"), which would block
// the process. Expressions that could are stopped after a second.
import { createContext, Script } from 'node:vm'
import { codeOf, messageOf } from '../common/typed.ts'
import { SourceError } from '../sources/source.ts'

/** `where` is the setting, for messages. */
export const operatorExpression = (source: string, flags: string, where: string): RegExp => {
  try {
    return new TimedExpression(source, flags, where)
  } catch (cause) {
    throw new Error(`${where} is not a regular expression: ${messageOf(cause)}`, { cause })
  }
}

/** Takes less than a second. */
const mostWays = 5e7

/**
 * The longest text that needs no time limit. Without a repeated group, an expression with r repetitions can divide n characters
 * in about n^(r+1)/(r+1)! ways, and twice as many for each optional part and alternative. A count such as {20} multiplies the work.
 */
const untimedLength = (source: string): number => {
  // A repeated group, or a reference to a group.
  if (/\)[*+{]|\\[1-9k]/.test(source)) return 0
  const repetitions = source.match(/[*+]|\{\d+,/g)?.length ?? 0
  const choices = source.match(/\?(?![:=!<])|\|/g)?.length ?? 0
  let ways = mostWays / 2 ** choices
  for (const [, count] of source.matchAll(/\{(\d\d+)/g)) ways /= Number(count)
  for (let k = 2; k <= repetitions + 1; k++) ways *= k
  return ways ** (1 / (repetitions + 1))
}

const limitMs = 1000
const sandbox = createContext({ run: () => {} })
const script = new Script('run()')

/** `test`, `match` and `replace` call `exec` too. A call costs a tenth of a millisecond. */
class TimedExpression extends RegExp {
  readonly #where: string
  readonly #untimed: number

  constructor(source: string, flags: string, where: string) {
    super(source, flags)
    this.#where = where
    // `split` and `matchAll` copy the expression: they pass it, not its text.
    this.#untimed = untimedLength(this.source)
  }

  override exec(text: string): RegExpExecArray | null {
    if (text.length <= this.#untimed) return super.exec(text)
    let match: RegExpExecArray | null = null
    sandbox.run = () => {
      match = super.exec(text)
    }
    // On a busy host a second passes without work: only processor time counts, of all attempts together.
    for (let spentMs = 0; ; ) {
      const before = process.threadCpuUsage()
      try {
        script.runInContext(sandbox, { timeout: limitMs })
        return match
      } catch (cause) {
        if (codeOf(cause) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause
        const { user, system } = process.threadCpuUsage(before)
        spentMs += (user + system) / 1000
        if (spentMs < 0.8 * limitMs) continue
        throw new SourceError(
          'slow_pattern',
          `${this.#where} takes more than ${limitMs / 1000} s on "${text.slice(0, 60)}". Repeat fewer parts: "(a+)+" is "a+".`,
          { cause },
        )
      }
    }
  }
}
