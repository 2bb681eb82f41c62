/** Questions in one statement: with more, it could take longer than a statement may. */
const perStatement = 25
/** Statements at once. More would use connections that other callers need. */
const atOnce = 4

interface Waiting<Question, Row> {
  question: Question
  resolve(rows: Row[]): void
  reject(error: unknown): void
}

/** Asks together what callers with the same scope ask in one turn of the event loop. `ask` returns the rows of each question. */
export const batchQuestions = <Scope extends object, Question, Row>(
  ask: (scope: Scope, questions: readonly Question[]) => Promise<Row[][]>,
): ((scope: Scope, question: Question) => Promise<Row[]>) => {
  const waiting = new WeakMap<Scope, Waiting<Question, Row>[]>()
  const send = async (scope: Scope, batch: readonly Waiting<Question, Row>[]) => {
    try {
      const answers = await ask(
        scope,
        batch.map(({ question }) => question),
      )
      for (const [at, { resolve }] of batch.entries()) resolve(answers[at]!)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  return (scope, question) =>
    new Promise((resolve, reject) => {
      const others = waiting.get(scope)
      if (others) return void others.push({ question, resolve, reject })
      const batch = [{ question, resolve, reject }]
      waiting.set(scope, batch)
      setImmediate(async () => {
        waiting.delete(scope)
        const parts = Array.from({ length: Math.ceil(batch.length / perStatement) }, (_, part) =>
          batch.slice(part * perStatement, (part + 1) * perStatement),
        )
        const lane = async () => {
          for (let part = parts.shift(); part; part = parts.shift()) await send(scope, part)
        }
        await Promise.all(Array.from({ length: atOnce }, lane))
      })
    })
}
