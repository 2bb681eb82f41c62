// Starts the files that take longest first, so that none of them runs alone at the end. Vitest knows the times of a repeated run
// only; in a new clone it starts the largest files first.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  'web/browser',
  'operations/agreement',
  'bin/serve',
  'backtest/backtest-teardown',
  'web/maps',
  'web/docs-examples',
  'assess/assess-market',
  'agent/package',
  'bin/assess-thread',
  'bin/commands',
  'bin/sample-markets',
  'api/fair-share',
  'embedded/server',
  'ingest/kill',
  'events/chaos',
  'embedded/supervise',
  'commands/assess',
  'api/generated',
  'api/readiness',
  'engine/replicas',
  'api/database-stalled',
  'valuation/calibration',
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
