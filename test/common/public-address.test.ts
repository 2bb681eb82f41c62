import { describe, expect, test } from 'vitest'
import { nonPublicReason, nonPublicReasonOfAny, webhookUrl } from '../../src/common/public-address.ts'

const rejected = `10.254.0.0 192.168.10.65 172.16.10.65 0.1.2.3 0.0.0.0 127.0.0.1 127.254.254.254 169.254.45.1
  169.254.169.254 255.255.255.255 224.1.2.3 233.252.0.16 192.0.0.0 192.0.0.255 192.0.2.255 198.51.100.65 203.0.113.6
  100.100.0.0 192.88.99.3 198.18.0.0 240.240.240.240 :: ::1 ::ffff:127.0.0.1 ::ffff:0.0.0.1 ::ffff:169.254.169.254
  ::ffff:7f00:1 ::127.0.0.1 ::ffff:0:127.0.0.1 2001:db8::1 3fff::dead:beef fe80::1 fe80::1%eth0 febf:ffff::1 fd00::1
  fd7a:115c:a1e0::1 fd00:ec2::254 ff02::1 2002:c0a8:1::1 2002:a9fe:a9fe::1 64:ff9b::c0a8:0 64:ff9b::a9fe:a9fe
  64:ff9b::7f00:1 64:ff9b:1::1 5f00::1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:10::1 2001:20::1 fec0::1
  172.31.255.255 100.64.0.1 100.127.255.255 198.19.255.255 239.255.255.255 4000::1`.split(/\s+/)
const allowed =
  '1.1.1.1 8.8.8.8 172.32.0.1 100.128.0.1 2001:4860:4860::8888 2606:4700:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808'.split(
    ' ',
  )

test.each(rejected)('%s is rejected', (address) => {
  expect(nonPublicReason(address)).toContain('not public')
})

test.each(allowed)('%s is allowed', (address) => {
  expect(nonPublicReason(address)).toBeUndefined()
})

test('one private address among public ones is rejected, in any position', () => {
  expect(nonPublicReasonOfAny(['8.8.8.8', '1.1.1.1'])).toBeUndefined()
  expect(nonPublicReasonOfAny(['8.8.8.8', '10.0.0.1'])).toContain('10.0.0.1')
  expect(nonPublicReasonOfAny(['::1', '8.8.8.8'])).toContain('::1')
})

describe('a URL', () => {
  test.each([
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://１２７.０.０.１/',
    'https://①②⑦.⓪.⓪.①/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://api.localhost/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://169.254.169.254/latest/meta-data',
    'https://user@example.com/',
    'https://user:pass@example.com/',
    'https://example.com@127.0.0.1/',
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://example.com:80/',
    'https://example.com:22/',
    'https://example.com:1023/',
    'https://example.com:0/',
    'https://example.com:65536/',
    'https://',
    '//example.com',
    'example.com',
    '',
    'https://256.256.256.256/',
    'https://../',
    'https://a..example.com/',
    'https://-a.example.com/',
    'https://10.0.0.1\\@example.com/',
  ])('%s is rejected with a reason', (url) => {
    const checked = webhookUrl(url, false)
    expect('refusal' in checked && checked.refusal).toMatch(/^url must/)
  })

  test.each([
    'https://example.com/hook',
    'https://example.com:443/hook',
    'https://example.com:1024/',
    'https://example.com:8443/',
    'https://example.com./',
    'https://bücher.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
  ])('%s is allowed', (url) => {
    expect(webhookUrl(url, false)).not.toHaveProperty('refusal')
  })

  test('allowing private addresses also allows plain http, but no password', () => {
    for (const url of ['http://127.0.0.1:80/', 'http://localhost:3001/hook', 'https://10.0.0.1/'])
      expect(webhookUrl(url, true)).not.toHaveProperty('refusal')
    expect(webhookUrl('http://user:pass@localhost/', true)).toHaveProperty('refusal')
    expect(webhookUrl('ftp://localhost/', true)).toHaveProperty('refusal')
  })
})
