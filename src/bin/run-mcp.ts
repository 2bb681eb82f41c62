import manifest from '../../package.json' with { type: 'json' }
import { serveAgentOverStdio } from '../agent/stdio.ts'
import { AgentSettingsError, agentSettings } from './agent-settings.ts'

/** Serves the agent tools until the client goes (0) or cannot be heard (1), then ends the process with whatever is still in flight. */
export const runMcp = async (given: { base?: string } = {}): Promise<never> => {
  try {
    const settings = agentSettings(given.base ? { ...process.env, LOTLINE_API_BASE: given.base } : process.env)
    const inOrder = await serveAgentOverStdio({ ...settings, version: manifest.version })
    process.exit(inOrder ? 0 : 1)
  } catch (error) {
    const message = error instanceof AgentSettingsError ? error.message : 'could not start.'
    process.stderr.write(`lotline-mcp: ${message}\n`)
    process.exit(2)
  }
}
