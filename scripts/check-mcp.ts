// Runs outside clients against a served /mcp: the inspector's command line, and the conformance scenarios that apply.
// Opt-in, since it fetches both: npx node scripts/check-mcp.ts http://localhost:3000/mcp [folder where they are installed]
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [url = 'http://localhost:3000/mcp', folder = join(tmpdir(), 'lotline-check-mcp')] = process.argv.slice(2)
const packages = ['@modelcontextprotocol/inspector@2.12.0', '@modelcontextprotocol/conformance@0.1.16']

/** The other scenarios call tools, prompts and resources of the suite's own fixture server. */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'prompts-list', 'dns-rebinding-protection']

const run = (command: string, args: string[]) => spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
// Run by this Node: both need a newer one than the `node` on the path may be.
const runTool = (name: string, args: string[]) =>
  run(process.execPath, [join(folder, 'node_modules/.bin', name), ...args])

const report = (what: string, passed: boolean, detail: string): boolean => {
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${what}${passed ? '' : `\n${detail}`}`)
  return passed
}

mkdirSync(folder, { recursive: true })
const installed = run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages])
if (installed.status !== 0) throw new Error(installed.stderr)

const inspect = (what: string, args: string[], expected: RegExp): boolean => {
  const { stdout, stderr } = runTool('mcp-inspector', ['--cli', url, '--transport', 'http', ...args])
  return report(`inspector: ${what}`, expected.test(stdout), stdout + stderr)
}

const results = [
  inspect('lists tools', ['--method', 'tools/list'], /"get_property_intelligence"/),
  inspect('lists prompts', ['--method', 'prompts/list'], /"can_this_lot_be_split"/),
  inspect(
    'calls a tool',
    ['--method', 'tools/call', '--tool-name', 'list_market_signals', '--tool-arg', 'limit=2'],
    /"outcome": "(?:ok|nothing_matched)"/,
  ),
  inspect(
    'is told of a wrong argument',
    ['--method', 'tools/call', '--tool-name', 'list_market_signals', '--tool-arg', 'limit=-1'],
    /"isError": true/,
  ),
  ...scenarios.map((scenario) => {
    const { status, stdout, stderr } = runTool('conformance', ['server', '--url', url, '--scenario', scenario])
    return report(`conformance: ${scenario}`, status === 0, stdout + stderr)
  }),
]
process.exitCode = results.every(Boolean) ? 0 : 1
