import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterEach, expect, test, vi } from 'vitest'
import { newsletterCommand } from '../../src/bin/commands/newsletter.ts'
import { webhooksCommand } from '../../src/bin/commands/webhooks.ts'
import { addSubscriber } from '../../src/store/keys/newsletter.ts'
import { useEvents } from '../events/open-events.ts'

const events = useEvents()
afterEach(() => void vi.restoreAllMocks())

const openServices = async () => ({ ...(await events().asPro()), close: async () => {} })
const webhooks = () => webhooksCommand({ openServices })
const newsletter = () => newsletterCommand({ openServices, highValueUsd: () => 500_000 })

const run = async (command: Command, ...args: string[]) => {
  const printed: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  for (const each of [command, ...command.commands]) each.exitOverride().configureOutput({ writeErr: () => {} })
  await command.parseAsync(args, { from: 'user' })
  return printed.join('')
}

test('webhooks list, replay and prune print JSON', async () => {
  const owner = await events().asPro()
  await events().call(owner, 'register_webhook', { url: 'http://127.0.0.1:9/hook' })
  const listed = await run(webhooks(), 'list', '--json')
  expect(JSON.parse(listed)).toMatchObject([{ url: 'http://127.0.0.1:9/hook', waiting: 0, email: 'owner@example.com' }])
  expect(listed).not.toContain('secret')
  expect(JSON.parse(await run(webhooks(), 'replay', '--since', '2026-01-01', '--json'))).toEqual({
    success: true,
    queued: 0,
  })
  expect(JSON.parse(await run(webhooks(), 'prune', '--json'))).toMatchObject({ success: true, pruned: { events: 0 } })
})

test('an invalid replay is rejected with a plain message', async () => {
  await expect(run(webhooks(), 'replay')).rejects.toThrow(/--since/)
  await expect(run(webhooks(), 'replay', '--since', 'yesterday')).rejects.toThrow(/ISO 8601/)
  await expect(run(webhooks(), 'replay', '--since', '2026-02-01', '--until', '2026-01-01')).rejects.toThrow(/before/)
  await expect(run(webhooks(), 'replay', '--since', '2026-01-01', '--endpoint', 'whk_x')).rejects.toThrow(
    /There is no endpoint whk_x/,
  )
})

test('newsletter send, preview and erase', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'lotline-preview-')), 'issue.html')
  expect(await run(newsletter(), 'send', '--market', 'peninsula', '--week', '2026-W46')).toContain('nothing was queued')
  await run(newsletter(), 'preview', '--market', 'nantucket', '--week', '2026-W46', '--out', file)
  expect(await readFile(file, 'utf8')).toContain('Nov 9, 2026 to Nov 15, 2026')
  await addSubscriber(events().db, { email: 'a@example.com', market: 'nantucket' })
  expect(JSON.parse(await run(newsletter(), 'erase', 'A@example.com', '--json'))).toEqual({ success: true, erased: 1 })
  await expect(run(newsletter(), 'erase', 'a@example.com')).rejects.toThrow(/not a subscriber/)
  await expect(run(newsletter(), 'send', '--market', 'mars')).rejects.toThrow(/sf-peninsula, nantucket/)
  await expect(run(newsletter(), 'send', '--market', 'nantucket', '--week', '2025-W53')).rejects.toThrow(
    /must be an ISO week/,
  )
})
