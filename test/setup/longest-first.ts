// Starts the files that take longest first, so that none of them runs alone at the end. Vitest knows the times of a repeated run
// only; in a new clone it starts the largest files first.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  'bin/serve',
  'web/browser',
  'operations/agreement',
  'backtest/backtest-teardown',
  'bin/assess-thread',
  'bin/sample-markets',
  'web/maps',
  'backtest/backtest-king-county',
  'agent/package',
  'bin/commands',
  'ingest/kill',
  'events/chaos',
  'web/docs-examples',
]

const place = ({ moduleId }: TestSpecification): number => {
  const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? longest.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
