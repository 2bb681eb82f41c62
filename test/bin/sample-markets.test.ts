import { expect, test } from 'vitest'
import type { OpenServices } from '../../src/bin/open-services.ts'
import { playSample, sampleDue } from '../../src/bin/sample-markets.ts'
import { defaultSeed } from '../../src/sample/generate.ts'
import { sql } from '../../src/store/database.ts'
import { writeSetting } from '../../src/store/settings.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { smallMarket, today } from '../setup/small-market.ts'

const store = useDatabaseWithQueue()
const options = { now: today, highValueUsd: 1e6 }
const day = today.toISOString().slice(0, 10)

test('a first load cut off before its models were fitted is finished with models by the next start', async () => {
  const { db, queue } = store()
  const services = { db, queue, store: store() } as unknown as OpenServices
  await smallMarket(db)
  await sql`update source set sample = true`.execute(db)
  const models = async () => (await sql`select from model where market = 'sf-peninsula'`.execute(db)).rows.length

  await writeSetting(db, 'sample', { seed: defaultSeed, today: day, assessed: false, fitted: true })
  await playSample(services, day, options)
  expect(await models()).toBe(0)

  await writeSetting(db, 'sample', { seed: defaultSeed, today: day, assessed: false, fitted: false })
  expect(await sampleDue(services, true, today)).toBe('advance')
  await playSample(services, day, options)
  expect(await models()).toBe(2)
  expect(await sampleDue(services, true, today)).toBeUndefined()
}, 120_000)
