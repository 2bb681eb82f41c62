import { Type } from 'typebox'
import {
  choices,
  dateTime,
  flag,
  integer,
  list,
  literals,
  object,
  optional,
  succeeded,
  text,
  texts,
} from '../../common/shape.ts'
import { assumptionSet } from '../../criteria/own-assumptions.ts'
import { Criteria } from '../../criteria/vocabulary.ts'
import { events } from '../events/table.ts'
import { WatchMatch } from '../events/watch-match.ts'
import { singleOf } from '../pagination.ts'
import { watchCadences, watchKinds, watchTriggers } from '../watches.ts'
import { asOf, examplePlace } from './examples.ts'
import { ownNote, resource } from './resource.ts'

const channels = Type.Object({
  email: optional.flag(
    'True mails matches to the address of the key, once it is confirmed. All watches share a mail: at most one in 15 minutes and 20 a day',
  ),
  atom: optional.flag('True makes an Atom feed; the answer has its URL in atomUrl'),
  webhooks: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 10,
      uniqueItems: true,
      description: 'Ids of your webhook endpoints; they need not subscribe to watch.matched. Pro',
    }),
  ),
})

const content = {
  name: text('Name', { minLength: 1, maxLength: 80, examples: ['Teardowns under $3M'] }),
  kind: literals(watchKinds, 'What to watch'),
  criteria: optional(Criteria),
  assumptionSet,
  on: choices(
    watchTriggers,
    'Changes to announce. entered: did not meet the criteria before and meets them now; left: the reverse; price, status; score: by the threshold of property.score_updated; permit: a permit of the home was recorded or changed its status. Defaults to entered; for one id to price, status and permit',
  ),
  cadence: optional.literals(watchCadences, 'How often to announce; defaults to daily. instant: Pro'),
  channels: optional(channels),
  note: ownNote('Your note; control characters are removed'),
}

const Watch = object('Watch', {
  id: text('Id of the watch'),
  name: text('Name'),
  kind: literals(watchKinds, 'What is watched'),
  criteria: Criteria,
  assumptionSet: optional.text('Id of the assumption set that returns are computed with'),
  on: list(literals(watchTriggers), 'Changes that are announced'),
  cadence: literals(watchCadences, 'How often'),
  channels: object('WatchChannels', {
    email: flag('Matches are mailed'),
    atom: flag('It has an Atom feed'),
    webhooks: texts('Ids of webhook endpoints'),
  }),
  note: optional.text('Your note'),
  savedHome: flag('One home without a channel; it does not count as a watch'),
  paused: flag('True while nothing is announced'),
  createdAt: dateTime('When it was made'),
  updatedAt: dateTime('When it was last changed'),
})

const Preview = object('WatchPreview', {
  id: optional.text('Id of the watch; absent for dryRun'),
  matchesNow: integer('Records that meet the criteria now'),
  perWeek: optional.number(
    'Matches per week, from the events of the last 8 weeks or your history window; absent while none are recorded. Permits of homes are not included',
  ),
  atomUrl: optional.text(
    'URL of the Atom feed, only in this answer. Anyone who has it can read the matches; newFeedUrl of PUT replaces it',
  ),
  notes: texts('What to know about the watch'),
})

const exampleContent = {
  name: 'Teardowns under $3M',
  kind: 'listings' as const,
  criteria: { city: examplePlace.city, status: ['for_sale' as const], maxPrice: 3_000_000 },
  on: ['entered' as const, 'price' as const],
  channels: { atom: true },
}
const exampleWatch = {
  id: 'wat_3Fd9',
  ...exampleContent,
  cadence: 'daily' as const,
  channels: { email: false, atom: true, webhooks: [] },
  savedHome: false,
  paused: false,
  createdAt: asOf,
  updatedAt: asOf,
}
const examplePreview = {
  id: 'wat_3Fd9',
  matchesNow: 12,
  perWeek: 1.5,
  atomUrl: 'https://lotline.example/feeds/9fK2.atom',
  notes: [],
}

const watches = resource({
  tag: 'Watches',
  path: '/v1/watches',
  one: 'watch',
  many: 'watches',
  id: 'Id of the watch',
  row: Watch,
  example: exampleWatch,
})
const { id } = watches

export const createWatch = watches.create({
  title: 'Save a watch',
  maxBodyKiB: 256,
  summary: 'Saves criteria whose changes are announced, after a preview of what they match.',
  description:
    'A free key may have 3 watches, announced daily or weekly, a Pro key 100; keys of one mailbox share them. One id without a channel is a saved home: up to 500. Criteria that match more than 10,000 records are a 400. Permits are tested when they are recorded and when their status changes.',
  input: {
    ...content,
    dryRun: optional.flag('True stores nothing and answers with the preview'),
  },
  output: singleOf(Preview),
  example: { input: exampleContent, output: { success: true, data: examplePreview, asOf } },
})

export const listWatches = watches.list({
  title: 'Your watches',
  summary: 'The watches and saved homes of this key.',
})

export const getWatch = watches.get({ title: 'One watch', summary: 'One watch of this key.' })

export const updateWatch = watches.update({
  title: 'Change a watch',
  maxBodyKiB: 256,
  summary: 'Replaces everything about a watch; what is left out gets its default.',
  input: {
    id,
    ...content,
    newFeedUrl: optional.flag('True makes a new URL of the Atom feed and ends the one before'),
  },
  output: singleOf(Preview),
  example: {
    input: { id: 'wat_3Fd9', ...exampleContent },
    output: { success: true, data: examplePreview, asOf },
  },
})

export const deleteWatch = watches.remove({
  title: 'Delete a watch',
  summary: 'Deletes a watch and its matches.',
})

export const pauseWatch = watches.action('pause', {
  title: 'Pause a watch',
  summary: 'Stops matching until the watch is resumed.',
})

export const resumeWatch = watches.action('resume', {
  title: 'Resume a watch',
  summary: 'Matches again, from the next change on.',
})

export const testWatch = watches.answer(
  'test',
  Type.Object({
    success: succeeded,
    deliveryIds: texts('The deliveries queued'),
    mailed: flag('A test mail was queued'),
  }),
  { success: true, deliveryIds: ['dlv_5Tn4'], mailed: true },
  {
    title: 'Test a watch',
    summary: 'Sends watch.matched without matches to the webhooks of the watch, and a test mail once a day.',
  },
)

const AnnouncedMatch = object('AnnouncedMatch', {
  ...WatchMatch.properties,
  announcedAt: dateTime('When it was announced'),
})

export const listWatchMatches = watches.rows('matches', AnnouncedMatch, {
  name: 'list_watch_matches',
  title: 'Matches of a watch',
  summary: 'The announced matches of the last 90 days, newest first.',
  example: { ...events['watch.matched'].example.matches[0]!, announcedAt: asOf },
})
