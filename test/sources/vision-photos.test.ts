import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadPhotos } from '../../src/sources/vision-photos.ts'

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
const server = createServer((request, response) => {
  if (request.url === '/house.jpg') return response.end(jpeg)
  if (request.url === '/page.jpg') return response.end('<html>not a photo</html>')
  if (request.url === '/large.jpg') return response.end(Buffer.concat([jpeg, Buffer.alloc(5000)]))
  if (request.url === '/moved.jpg') return response.writeHead(302, { location: '/house.jpg' }).end()
  return response.writeHead(404).end()
})
let base = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

describe('loadPhotos', () => {
  test('returns the photos and the reason for each URL it skipped', async () => {
    const urls = ['house', 'page', 'large', 'moved', 'gone'].map((name) => `${base}/${name}.jpg?token=1`)
    const loaded = await loadPhotos(
      urls.map((url) => url.replace('?token=1', '')),
      { allowPrivate: true, maxBytes: 1000 },
    )
    expect(loaded.photos).toEqual([{ bytes: jpeg, mediaType: 'image/jpeg' }])
    expect(loaded.refused.map((one) => one.reason)).toEqual([
      'not a JPEG, PNG, WebP or GIF',
      'larger than 1000 bytes',
      'the server returned 302',
      'the server returned 404',
    ])
    const secret = await loadPhotos([urls[4]!], { allowPrivate: true })
    expect(secret.refused[0]!.url).not.toContain('token')
  })

  test('a private address is not read', async () => {
    for (const url of [
      `${base}/house.jpg`,
      base.replace('127.0.0.1', 'localhost'),
      'http://169.254.169.254/latest',
      'file:///etc/hosts',
      'http://[::1]/',
    ]) {
      const loaded = await loadPhotos([url])
      expect(loaded.photos).toEqual([])
      expect(loaded.refused).toHaveLength(1)
    }
  })

  test('fetches at most maxPhotos photos', async () => {
    const loaded = await loadPhotos([`${base}/house.jpg`, `${base}/house.jpg`, `${base}/house.jpg`], {
      allowPrivate: true,
      maxPhotos: 2,
    })
    expect(loaded.photos).toHaveLength(2)
  })
})
