// Regular expressions from a source's configuration. Some need exponential time on some texts ("(a+)+$"), which would block
// the process. Expressions that could are stopped after a second.
import { createContext, Script } from 'node:vm'
import { codeOf, messageOf } from '../common/typed.ts'
import { SourceError } from '../sources/source.ts'

/** `where` is the setting, for messages. */
export const operatorExpression = (source: string, flags: string, where: string): RegExp => {
  try {
    return isLinear(source) ? new RegExp(source, flags) : new TimedExpression(source, flags, where)
  } catch (cause) {
    throw new Error(`${where} is not a regular expression: ${messageOf(cause)}`, { cause })
  }
}

/** One repetition, and not of a group: at most the square of the length of the text. */
const isLinear = (source: string): boolean => (source.match(/[*+]|\{\d+,/g)?.length ?? 0) < 2 && !/\)[*+{]/.test(source)

const limitMs = 1000
const sandbox = createContext({ run: () => {} })
const script = new Script('run()')

/** `test`, `match` and `replace` call `exec` too. A call costs a tenth of a millisecond. */
class TimedExpression extends RegExp {
  readonly #where: string

  constructor(source: string, flags: string, where: string) {
    super(source, flags)
    this.#where = where
  }

  override exec(text: string): RegExpExecArray | null {
    let match: RegExpExecArray | null = null
    sandbox.run = () => {
      match = super.exec(text)
    }
    try {
      script.runInContext(sandbox, { timeout: limitMs })
    } catch (cause) {
      if (codeOf(cause) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause
      throw new SourceError(
        'slow_pattern',
        `${this.#where} takes more than ${limitMs / 1000} s on "${text.slice(0, 60)}". Repeat fewer parts: "(a+)+" is "a+".`,
        { cause },
      )
    }
    return match
  }
}
