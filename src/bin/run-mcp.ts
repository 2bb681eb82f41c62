import manifest from '../../package.json' with { type: 'json' }
import { serveAgentOverStdio } from '../agent/stdio.ts'
import { AgentSettingsError, agentSettings } from './agent-settings.ts'

/** Serves the agent tools until the client disconnects (exit 0) or its input breaks (exit 1). Exits even with calls in flight. */
export const runMcp = async (given: { base?: string } = {}): Promise<never> => {
  try {
    const settings = agentSettings(given.base ? { ...process.env, LOTLINE_API_BASE: given.base } : process.env)
    const disconnected = await serveAgentOverStdio({ ...settings, version: manifest.version })
    process.exit(disconnected ? 0 : 1)
  } catch (error) {
    const message = error instanceof AgentSettingsError ? error.message : 'could not start.'
    process.stderr.write(`lotline-mcp: ${message}\n`)
    process.exit(2)
  }
}
