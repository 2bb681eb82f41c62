// `lotline audit`: checks that the numbers a service serves agree with each other.
import { Command } from 'commander'
import { type AuditReport, auditService } from '../../audit/audit-service.ts'
import { rules } from '../../audit/rules.ts'
import { serviceReader } from '../../audit/service-reader.ts'
import { textTable } from '../text-table.ts'
import { wholeNumber } from './arguments.ts'

interface Options {
  url: string
  key: string[]
  properties?: number
  pages: number
  rows?: number
  json?: true
}

export const auditCommand = (): Command =>
  new Command('audit')
    .description('Read everything a service serves and report numbers that contradict each other.')
    .requiredOption('--url <url>', 'address of the service, for example http://localhost:3000')
    .requiredOption('--key <keys...>', 'Pro keys; several are used in turn, which is faster within the rate limits')
    .option('--properties <n>', 'check this many properties, evenly spaced; defaults to all', count)
    .option('--pages <n>', 'check this many property pages; pages are limited to 60 a minute', count, 50)
    .option('--rows <n>', 'compare this many rows of each search; defaults to 500', rowCount)
    .option('--json', 'print JSON with every violation')
    .addHelpText('after', () => ['', 'Rules:', ...rules.map(({ name, holds }) => `  ${name}: ${holds}`)].join('\n'))
    .action(audit)

const audit = async ({ url, key, json, ...options }: Options) => {
  const report = await auditService(serviceReader(url, key), {
    ...options,
    searches: true,
    onProgress: json ? undefined : progress,
  })
  console.log(json ? JSON.stringify({ url, ...report }, null, 2) : auditTable(report))
  if (report.violations.length > 0) process.exitCode = 1
}

const progress = (done: number, of: number): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of} properties${done === of ? '\n' : ''}`)
}

const auditTable = ({ asOf, checked, rules, violations }: AuditReport): string => {
  const broken = rules.filter((rule) => rule.violations > 0).length
  return [
    `Checked ${checked.properties.toLocaleString('en-US')} properties, ${checked.pages} property pages and ${checked.searches} searches in ${checked.markets} markets, data of ${asOf.slice(0, 10)}.`,
    '',
    textTable(rules, [
      { title: 'Rule', value: ({ name }) => name },
      { title: 'Violations', value: (rule) => rule.violations, number: true },
      { title: 'Example', value: ({ example }) => (example ? `${example.id}: ${example.problem}` : '') },
    ]),
    '',
    violations.length === 0
      ? `No violations of ${rules.length} rules.`
      : `${violations.length.toLocaleString('en-US')} violations of ${broken} of ${rules.length} rules.`,
  ].join('\n')
}

const count = wholeNumber('It must be a whole number, for example 500.', 0)
const rowCount = wholeNumber('It must be a whole number from 1 to 500.', 1, 500)
