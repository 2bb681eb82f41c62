import { beforeEach, expect, test } from 'vitest'
import { mailHtml, mailText } from '../../src/common/mail-document.ts'
import { decisionTexts } from '../../src/operations/deal-homes.ts'
import { saveModel } from '../../src/store/assessments/models.ts'
import { sql } from '../../src/store/engine/database.ts'
import { openMail } from '../../src/store/keys/mails.ts'
import {
  addSubscriber,
  confirmSubscriber,
  eraseSubscriber,
  heatSeries,
  unsubscribe,
} from '../../src/store/keys/newsletter.ts'
import { indexPermits } from '../../src/store/permit-search/upkeep.ts'
import { composeDigest, sendNewsletter, weekOf } from '../../src/watches/newsletter.ts'
import { type Digest, digestDocument } from '../../src/watches/newsletter-text.ts'
import { emptyTables } from '../setup/rows.ts'
import { useEvents } from './open-events.ts'

const digestText = (digest: Digest, unsubscribe: string) => mailText(digestDocument(digest, unsubscribe))
const digestHtml = (digest: Digest, unsubscribe: string) => mailHtml(digestDocument(digest, unsubscribe))

const events = useEvents()
const now = new Date('2026-11-16T09:00:00Z')
const week = weekOf('2026-W46', now)!
const choice = { market: 'sf-peninsula', week, highValueUsd: 500_000 } as const
const services = () => ({ ...events(), publicUrl: 'https://lotline.test', decisionsOf: decisionTexts })

beforeEach(async () => {
  const { db } = events()
  await emptyTables(db, 'source', 'property', 'market_heat', 'subscriber', 'mail')
  await sql`delete from pgboss.job where name = 'mail'`.execute(db)
  await sql`insert into source (id, kind, holds, title, config) values ('s', 'csv', 'listings', 'S', '{}')`.execute(db)
})

const listing = async (id: string, listedOn: string, rank: number, address = `${id} Oak St`, status = 'active') => {
  const { db } = events()
  await sql`insert into property (id, market, state, city, city_slug, address, address_key, known_from)
    values (${id}, 'sf-peninsula', 'CA', 'Palo Alto', 'palo-alto', ${address}, ${id}, 'listing')`.execute(db)
  await sql`insert into listing (source_id, listing_id, property_id, match_method, match_confidence, market, state, city_slug,
      status, price_usd, listed_on, current, collected_at)
    values ('s', ${id}, ${id}, 'none', 'low', 'sf-peninsula', 'CA', 'palo-alto', ${status}, 2500000, ${listedOn}, true, now())`.execute(
    db,
  )
  await sql`insert into assessment (property_id, market, city_slug, model_version, content_hash, assessed_at, assessed_on, rank_score)
    values (${id}, 'sf-peninsula', 'palo-alto', 'test', ${id}, now(), now(), ${rank})`.execute(db)
}
const permit = async (id: string, issuedOn: string, valuation: number) => {
  await sql`insert into permit (city_slug, permit_id, source_id, market, state, city, match_method, match_confidence, address,
      description, valuation_usd, issued_on, status, permit_class, collected_at)
    values ('palo-alto', ${id}, 's', 'sf-peninsula', 'CA', 'Palo Alto', 'none', 'low', '1 Elm St', 'New <house> & pool',
      ${valuation}, ${issuedOn}, 'issued', 'new_house', now())`.execute(events().db)
  await indexPermits(events().db)
}
const heat = (asOf: string, index: number) =>
  sql`insert into market_heat (market, city_slug, property_type, as_of, heat_index, parts, sales)
    values ('sf-peninsula', '', 'single_family', ${asOf}, ${index}, '[]', 40)`.execute(events().db)
const subscribers = async (...emails: string[]) => {
  for (const email of emails) {
    const { id } = await addSubscriber(events().db, { email, market: 'sf-peninsula' })
    await confirmSubscriber(events().db, id, now)
  }
}
const queuedMails = async () =>
  (
    await sql<{ data: { sealed: string } }>`select data from pgboss.job where name = 'mail'`.execute(events().db)
  ).rows.map(({ data }) => openMail(events().sealer, data.sealed))

test('the digest lists the week’s new homes that can be bought by score, its largest permits, and the change in market heat', async () => {
  await listing('low', '2026-11-10', 40)
  await listing('high', '2026-11-15', 90)
  await listing('older', '2026-11-08', 99)
  await listing('agreed', '2026-11-10', 98, '1 Pine St', 'pending')
  await permit('B1', '2026-11-12', 900_000)
  await permit('B2', '2026-11-12', 499_999)
  await permit('B3', '2026-11-02', 9_000_000)
  await heat('2026-11-06', 61.4)
  await heat('2026-11-13', 66.2)
  await heat('2026-11-20', 99)
  const digest = await composeDigest(services(), choice)
  expect(digest.signals.map(({ id }) => id)).toEqual(['high', 'low'])
  expect(digestText(digest, 'u')).not.toContain('sample data')
  expect(digestText({ ...digest, sample: true }, 'u')).toContain('generated sample data')
  expect(digestHtml({ ...digest, sample: true }, 'u')).toContain('generated sample data')
  expect(digest.permits.map(({ permitId }) => permitId)).toEqual(['B1'])
  const text = digestText(digest, 'https://lotline.test/u')
  expect(text).toContain('The heat index was 66 of 100 on Nov 13, 2026, up 5 since Nov 6, 2026.')
  expect(text).toContain(
    '- 1 Elm St, Palo Alto · $900,000 valuation · issued Nov 12, 2026 · New <house> & pool\n  https://lotline.test/permits/palo-alto/B1',
  )
  expect(text).toContain('Unsubscribe: https://lotline.test/u')
  const html = digestHtml(digest, 'https://lotline.test/u')
  expect(html).toContain('New &lt;house&gt; &amp; pool')
  expect(html).toContain('height:33px')
  expect(html).not.toContain('<svg')
})

test('a home has the place of its teardown score among the homes on the market, and only a loss is red', async () => {
  await listing('p_001home_0001', '2026-11-10', 90)
  await sql`update assessment set teardown_score = 31, flippability_score = 40, proforma = '{"returnPct": -4.2}'`.execute(
    events().db,
  )
  const distributions = {
    teardownScore: { count: 40, quantiles: [1, 2, 3, 4] },
    flippabilityScore: { count: 20, quantiles: [39, 80] },
  }
  await saveModel(
    events().db,
    'score-ranks',
    'sf-peninsula',
    'score-ranks',
    { distributions, teardown: {}, asOf: '2026-08-31' },
    now,
  )
  const digest = await composeDigest(services(), choice)
  const past = 'Values, scores and decisions for San Francisco Peninsula are those of Aug 31, 2026.'
  expect(digestText(digest, 'u')).toContain(past)
  // The decision comes first.
  expect(digestText(digest, 'u')).toContain('Palo Alto · No estimate: its value is not known. · $2,500,000')
  const facts =
    'teardown score 31, first 1% of homes for sale or pending · flip score 40 · Loses 4.2% as a new house at the asking price'
  expect(digestText(digest, 'u')).toContain(facts)
  expect(digestHtml(digest, 'u').match(/class="loss"[^>]*>[^<]*/g)).toEqual([
    expect.stringContaining('Loses 4.2% as a new house at the asking price'),
  ])
  await sql`update assessment set proforma = proforma || '{"returnAtExpectedPct": 3.1}'`.execute(events().db)
  expect(digestText(await composeDigest(services(), choice), 'u')).toContain(
    'flip score 40 · Earns 3.1% as a new house at the expected price',
  )
})

test('unknown values are omitted, and an empty week sends nothing', async () => {
  await subscribers('a@example.com')
  expect(await sendNewsletter(services(), choice, now)).toEqual({ queued: 0, empty: true })
  await listing('one', '2026-11-10', 50)
  const text = digestText(await composeDigest(services(), choice), 'u')
  expect(text).not.toContain('MARKET HEAT')
  expect(text).not.toContain('undefined')
})

test('two concurrent runs send a subscriber one issue per week', async () => {
  await listing('one', '2026-11-10', 50)
  const emails = Array.from({ length: 250 }, (_, i) => `reader${i}@example.com`)
  await subscribers(...emails)
  const runs = await Promise.all([1, 2, 3].map(() => sendNewsletter(services(), choice, now)))
  await sendNewsletter(services(), choice, now)
  expect(runs.reduce((sum, { queued }) => sum + queued, 0)).toBe(250)
  const mails = await queuedMails()
  expect(mails.map(({ to }) => to).sort()).toEqual(emails.sort())
  expect(mails[0]!.headers).toMatchObject({
    'List-Unsubscribe': expect.stringMatching(/^<https:\/\/lotline\.test\/unsubscribe\/sub_\w+\/[\w-]+>$/),
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  await listing('two', '2026-11-17', 50)
  const next = await sendNewsletter(services(), { ...choice, week: weekOf('2026-W47', now)! }, now)
  expect(next.queued).toBe(250)
})

test('unsubscribed readers and readers of another market get no issue', async () => {
  await listing('one', '2026-11-10', 50)
  const { id } = await addSubscriber(events().db, { email: 'gone@example.com', market: 'sf-peninsula' })
  await confirmSubscriber(events().db, id, now)
  await unsubscribe(events().db, id, now)
  await addSubscriber(events().db, { email: 'island@example.com', market: 'nantucket' })
  expect((await sendNewsletter(services(), choice, now)).queued).toBe(0)
})

test('erasing a subscriber deletes all their rows', async () => {
  await listing('one', '2026-11-10', 50)
  await subscribers('Forget.Me@example.com')
  await sendNewsletter(services(), choice, now)
  expect(await eraseSubscriber(events().db, 'forget.me@EXAMPLE.com')).toBe(1)
  for (const table of ['subscriber', 'newsletter_issue', 'mail']) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(events().db)
    expect(rows).toEqual([])
  }
})

test('weeks are ISO weeks and default to the last complete one', () => {
  expect(weekOf(undefined, new Date('2026-11-15T23:59:59Z'))).toEqual({
    name: '2026-W45',
    from: '2026-11-02',
    to: '2026-11-08',
  })
  expect(weekOf(undefined, new Date('2026-11-16T00:00:00Z'))).toEqual({
    name: '2026-W46',
    from: '2026-11-09',
    to: '2026-11-15',
  })
  expect(weekOf('2026-W01', now)).toMatchObject({ from: '2025-12-29', to: '2026-01-04' })
  expect(weekOf('2026-W53', now)).toMatchObject({ from: '2026-12-28' })
  expect(weekOf('2025-W53', now)).toBeUndefined()
  expect(weekOf('2026-W00', now)).toBeUndefined()
  expect(weekOf('next week', now)).toBeUndefined()
})

test('the heat of a market is that of the type with the most sales at its last date, oldest first, up to the week', async () => {
  const { db } = events()
  const point = (asOf: string, index: number | null, type = 'single_family', sales = 40, city = '') =>
    sql`insert into market_heat (market, city_slug, property_type, as_of, heat_index, parts, sales)
      values ('sf-peninsula', ${city}, ${type}, ${asOf}, ${index}, '[]', ${sales})`.execute(db)
  for (const [day, index] of [
    ['2026-10-01', 51],
    ['2026-10-08', 52],
    ['2026-10-15', null],
    ['2026-10-22', 54],
    ['2026-10-23', 55],
  ] as const)
    await point(day, index)
  await point('2026-10-22', 70, 'condo', 20)
  await point('2026-10-01', 71, 'condo', 900)
  await point('2026-10-22', 72, 'single_family', 900, 'palo-alto')
  const series = async (points: number) =>
    (await heatSeries(db, 'sf-peninsula', { to: '2026-10-22' } as never, points)).map(({ asOf, heatIndex }) => [
      asOf.slice(8),
      heatIndex,
    ])
  expect(await series(9)).toEqual([
    ['01', 51],
    ['08', 52],
    ['22', 54],
  ])
  expect(await series(2)).toEqual([
    ['08', 52],
    ['22', 54],
  ])
})
