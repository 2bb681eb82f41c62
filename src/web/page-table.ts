// The pages, one row each, in the order of the navigation. The routes, the navigation, sitemap.xml and llms.txt are read from it.
import { cities, markets } from '../domain/packs/markets.ts'
import { mountAccount } from './account/mount-account.ts'
import { marketPath } from './city-link.ts'
import { guidePages } from './docs/guide.ts'
import { referencePages } from './docs/reference.ts'
import { mountBuilderPages } from './pages/builders.ts'
import { mountCoverage } from './pages/coverage.ts'
import { mountDocs } from './pages/docs.ts'
import { mountExplore } from './pages/explore.ts'
import { mountCompare } from './pages/explore-compare.ts'
import { mountFind } from './pages/find.ts'
import { mountHome } from './pages/home.ts'
import { leadPaths, mountLeads } from './pages/leads.ts'
import { mountMarkets } from './pages/markets.ts'
import { mountMemo } from './pages/memo.ts'
import { mountPermitPages } from './pages/permits.ts'
import { mountPlans } from './pages/plans.ts'
import { mountPlayground } from './pages/playground.ts'
import { mountProperty } from './pages/property.ts'
import { mountSubscription } from './pages/subscription.ts'
import { mountToday } from './pages/today.ts'
import type { PageRow } from './site.ts'

export const pageTable: readonly PageRow[] = [
  { path: '/', sitemap: true, mount: mountHome },
  {
    path: '/explore',
    navigation: 'Explore',
    sitemap: true,
    summary: 'ranked listings with a map',
    mount: mountExplore,
  },
  { path: '/explore/compare', mount: mountCompare },
  { path: '/find', sitemap: true, mount: mountFind },
  { path: '/today', mount: mountToday },
  { path: '/properties/:id', mount: mountProperty },
  { path: '/properties/:id/memo', mount: mountMemo },
  {
    path: '/leads',
    navigation: 'Leads',
    sitemap: () => leadPaths,
    summary: 'lots to split, lots for an accessory unit, underbuilt homes and vacant lots',
    mount: mountLeads,
  },
  {
    path: '/permits',
    navigation: 'Permits',
    sitemap: true,
    summary: 'permit search with CSV download',
    mount: mountPermitPages,
  },
  {
    path: '/markets',
    navigation: 'Markets',
    sitemap: () => [
      '/markets',
      ...markets().map(({ id }) => marketPath(id)),
      ...cities().map(({ market, slug }) => marketPath(market, slug)),
    ],
    mount: mountMarkets,
  },
  { path: '/builders', navigation: 'Builders', sitemap: true, mount: mountBuilderPages },
  {
    path: '/playground',
    navigation: 'Playground',
    sitemap: true,
    summary: 'a form for every API call',
    mount: mountPlayground,
  },
  {
    path: '/docs',
    navigation: 'Docs',
    sitemap: () => ['/docs/reference', ...[...referencePages(), ...guidePages()].map(({ path }) => path)],
    mount: mountDocs,
  },
  {
    path: '/coverage',
    navigation: 'Coverage',
    sitemap: true,
    summary: 'datasets, freshness and sources',
    mount: mountCoverage,
  },
  { path: '/plans', sitemap: true, mount: mountPlans },
  { path: '/account', navigation: 'Account', mount: mountAccount },
  { path: '/confirm/:id/:token', mount: mountSubscription },
]
