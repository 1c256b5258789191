import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
/** The least that an operator's own database needs. */
const OWN = { DATABASE_URL: 'postgres://me:secret@db/tidings', TIDINGS_SECRET_KEY: KEY };

describe('the configuration', () => {
  test('works with nothing set', () => {
    expect(readConfig({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      mllp: { port: 2575, host: '127.0.0.1' },
      operations: null,
      dataDir: resolve('data'),
      roles: new Set(['web', 'feed', 'worker']),
      demo: true,
      demoFeed: true,
      publicUrl: 'http://127.0.0.1:8080',
      logLevel: 'warn',
      trustedProxies: [],
      allowedNetworks: [],
      companyName: 'Tidings',
      support: { email: 'support@tidings.example', phone: '585-555-0100', link: null },
      smtp: null,
      twilio: null,
      neutralAnswers: false,
      secretKey: { file: resolve('data/secret.key'), isOurs: true },
      sessionHours: 12,
      isProduction: false,
      breachedPasswords: null,
      supportWidget: null,
      embedHosts: [],
    });
  });

  test('refuses a database password that would break the URL, without repeating it', () => {
    for (const password of ['ab/cd', '12/cd', '12?b', 'a#b', '100%', '/'])
      expect(() => readConfig({ ...OWN, DATABASE_URL: `postgres://me:${password}@db/tidings` })).toThrow(
        /^DATABASE_URL must be a URL that starts with postgres:\/\/; in its password, write \/ as %2F, \? as %3F, # as %23 and % as %25$/,
      );
    for (const password of ['ab%2Fcd', 'a+b=', 'a-b_c', 'a@b'])
      expect(readConfig({ ...OWN, DATABASE_URL: `postgres://me:${password}@db/tidings` }).databaseUrl).toContain(
        password,
      );
    for (const address of ['postgres://db/tidings', 'postgresql://me@db/tidings?application_name=a@b'])
      expect(readConfig({ ...OWN, DATABASE_URL: address }).databaseUrl).toBe(address);
  });

  test('reads the address of a replica, which only an own database has', () => {
    const address = 'postgres://replica:5433?sslmode=require';
    expect(readConfig({ ...OWN, DATABASE_REPLICA_URL: address }).databaseReplicaUrl).toBe(address);
    expect(() => readConfig({ DATABASE_REPLICA_URL: address })).toThrow(
      'DATABASE_REPLICA_URL needs DATABASE_URL: the embedded database has no replica',
    );
    expect(() => readConfig({ ...OWN, DATABASE_REPLICA_URL: 'me:secret@replica' })).toThrow(
      /^DATABASE_REPLICA_URL must be a URL that starts with postgres:\/\/(?!.*secret)/,
    );
  });

  test('reads where the metrics are served, on this machine if nothing else is said', () => {
    expect(readConfig({ TIDINGS_OPERATIONS_PORT: '9464' }).operations).toEqual({ host: '127.0.0.1', port: 9464 });
    const elsewhere = readConfig({ TIDINGS_OPERATIONS_PORT: '9464', TIDINGS_OPERATIONS_HOST: '0.0.0.0' });
    expect(elsewhere.operations).toEqual({ host: '0.0.0.0', port: 9464 });
    expect(() => readConfig({ TIDINGS_OPERATIONS_PORT: 'x' })).toThrow(
      'TIDINGS_OPERATIONS_PORT must be a whole number',
    );
  });

  test('reads the hosts of embedded pages, which are never our own', () => {
    const hosts = 'Tableau.example, viz.plan.example';
    expect(readConfig({ TIDINGS_EMBED_HOSTS: hosts }).embedHosts).toEqual(['tableau.example', 'viz.plan.example']);
    for (const wrong of ['https://tableau.example', '*.example', 'tableau.example/x', "x'; script-src *"])
      expect(() => readConfig({ TIDINGS_EMBED_HOSTS: wrong })).toThrow('TIDINGS_EMBED_HOSTS must be a comma-separated');
    const own = { TIDINGS_EMBED_HOSTS: 'a.example', TIDINGS_PUBLIC_URL: 'https://a.example' };
    expect(() => readConfig({ ...own, ...OWN })).toThrow("TIDINGS_EMBED_HOSTS can't have the host");
  });

  test('reads trusted proxies, allowed networks and support contacts', () => {
    const config = readConfig({
      TIDINGS_TRUSTED_PROXIES: '10.0.0.1, fd00::/8,192.168.0.0/16',
      TIDINGS_SUPPORT_EMAIL: 'help@tidings.example',
      TIDINGS_SUPPORT_LINK: 'https://help.tidings.example',
    });
    expect(config.trustedProxies).toEqual(['10.0.0.1', 'fd00::/8', '192.168.0.0/16']);
    expect(config.support).toEqual({
      email: 'help@tidings.example',
      phone: null,
      link: 'https://help.tidings.example',
    });
    expect(readConfig({ TIDINGS_ALLOWED_NETWORKS: '10.20.0.0/16' }).allowedNetworks).toEqual(['10.20.0.0/16']);
    for (const wrong of ['everyone', '10.0.0.0/33', '10.0.0.1/8/9', '10.0.0.1;']) {
      for (const name of ['TIDINGS_TRUSTED_PROXIES', 'TIDINGS_ALLOWED_NETWORKS']) {
        expect(() => readConfig({ [name]: wrong })).toThrow(`${name} must be a comma-separated list`);
      }
    }
  });

  test('reads a mail server with its sender, and does not reveal its password', () => {
    const TIDINGS_SMTP_URL = 'smtps://tidings:secret@mail.tidings.example';
    const TIDINGS_MAIL_FROM = 'Tidings <no-reply@tidings.example>';
    const { smtp } = readConfig({ TIDINGS_SMTP_URL, TIDINGS_MAIL_FROM });
    expect(smtp).toEqual({ url: TIDINGS_SMTP_URL, from: TIDINGS_MAIL_FROM });
    expect(() => readConfig({ TIDINGS_SMTP_URL })).toThrow(/^TIDINGS_MAIL_FROM must be set too/);
    expect(() => readConfig({ TIDINGS_SMTP_URL: 'http://me:secret@mail' })).toThrow(
      new ConfigError('TIDINGS_SMTP_URL must be a URL that starts with smtp:// or smtps://'),
    );
  });

  test('requires all settings of the text message gateway or none', () => {
    const whole = {
      TIDINGS_TWILIO_ACCOUNT_SID: 'AC1',
      TIDINGS_TWILIO_AUTH_TOKEN: 't',
      TIDINGS_TWILIO_FROM: '+12125550100',
    };
    expect(readConfig(whole).twilio).toEqual({ accountSid: 'AC1', authToken: 't', from: '+12125550100' });
    for (const name of Object.keys(whole)) {
      expect(() => readConfig({ ...whole, [name]: '' })).toThrow(/must be set together$/);
    }
  });

  test('takes a support widget only with the hash of its script, and keeps it off pages with patients unless set', () => {
    const url = 'https://support.example/widget.js';
    const integrity = `sha384-${'a'.repeat(64)}`;
    const whole = { TIDINGS_SUPPORT_WIDGET_URL: url, TIDINGS_SUPPORT_WIDGET_INTEGRITY: integrity };
    expect(readConfig(whole).supportWidget).toEqual({ url, integrity, onPatientPages: false });
    const everywhere = readConfig({ ...whole, TIDINGS_SUPPORT_WIDGET_ON_PATIENT_PAGES: 'on' });
    expect(everywhere.supportWidget?.onPatientPages).toBe(true);
    expect(() => readConfig({ TIDINGS_SUPPORT_WIDGET_URL: url })).toThrow(
      'TIDINGS_SUPPORT_WIDGET_INTEGRITY must be set too',
    );
    for (const wrong of ['md5-abc', 'sha384-short', 'sha256-"><script>'])
      expect(() => readConfig({ ...whole, TIDINGS_SUPPORT_WIDGET_INTEGRITY: wrong })).toThrow('must be a hash');
  });

  test('gives neutral answers only when set', () => {
    expect(readConfig({ TIDINGS_NEUTRAL_ANSWERS: 'on' }).neutralAnswers).toBe(true);
  });

  test('treats an empty variable as not set', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toEqual(readConfig({}));
  });

  test('is production without the demo, or over https', () => {
    expect(readConfig(OWN).isProduction).toBe(true);
    expect(readConfig({ TIDINGS_DEMO: 'off' }).isProduction).toBe(true);
    expect(readConfig({ TIDINGS_PUBLIC_URL: 'https://tidings.example' }).isProduction).toBe(true);
  });

  test('needs the key of stored secrets with the operator’s database, in processes that serve the web', () => {
    const { DATABASE_URL } = OWN;
    expect(() => readConfig({ DATABASE_URL })).toThrow(/^TIDINGS_SECRET_KEY or TIDINGS_SECRET_KEY_FILE must be set/);
    expect(readConfig({ DATABASE_URL, TIDINGS_ROLES: 'feed,worker' }).secretKey).toBeNull();
    expect(readConfig(OWN).secretKey).toEqual({ text: KEY });
    const TIDINGS_SECRET_KEY_FILE = '/run/secrets/tidings';
    expect(readConfig({ DATABASE_URL, TIDINGS_SECRET_KEY_FILE }).secretKey).toEqual({
      file: TIDINGS_SECRET_KEY_FILE,
      isOurs: false,
    });
    expect(() => readConfig({ ...OWN, TIDINGS_SECRET_KEY_FILE })).toThrow(/are both set: set only one of them$/);
    expect(() => readConfig({ TIDINGS_SECRET_KEY: 'hunter2' })).toThrow(
      new ConfigError('TIDINGS_SECRET_KEY must be keys of 32 bytes in base64, separated by commas'),
    );
  });

  test('has a demo only over plain http at a loopback address, on its own database', () => {
    for (const env of [
      {},
      { TIDINGS_DEMO: 'on' },
      { HOST: 'localhost' },
      { HOST: '::1', TIDINGS_PUBLIC_URL: 'http://[::1]:8080' },
      { TIDINGS_PUBLIC_URL: 'http://127.0.0.1:9000' },
    ]) {
      expect([env, readConfig(env).demo]).toEqual([env, true]);
    }
    expect(readConfig({ TIDINGS_DEMO: 'off' }).demo).toBe(false);
  });

  test.each([
    [OWN, 'DATABASE_URL is set'],
    [{ HOST: '0.0.0.0' }, "HOST is '0.0.0.0'"],
    [{ HOST: '127.0.0.1.tidings.example' }, "HOST is '127.0.0.1.tidings.example'"],
    [{ MLLP_HOST: '10.0.0.1' }, "MLLP_HOST is '10.0.0.1'"],
    [{ TIDINGS_PUBLIC_URL: 'https://127.0.0.1' }, "TIDINGS_PUBLIC_URL is 'https://127.0.0.1'"],
    [{ TIDINGS_PUBLIC_URL: 'http://tidings.example' }, "TIDINGS_PUBLIC_URL is 'http://tidings.example'"],
  ])('has no demo with %o, and does not start if one is asked for', (env, reason) => {
    expect(readConfig(env).demo).toBe(false);
    expect(() => readConfig({ ...env, TIDINGS_DEMO: 'on' })).toThrow(
      new ConfigError(
        `TIDINGS_DEMO can't be 'on', because ${reason}: the demo runs only on its own database, over plain http at a loopback address`,
      ),
    );
  });

  test('listens for MLLP on the same host as for browsers by default', () => {
    expect(readConfig({ HOST: '0.0.0.0' }).mllp.host).toBe('0.0.0.0');
    expect(readConfig({ HOST: '0.0.0.0', MLLP_HOST: '10.0.0.1' }).mllp.host).toBe('10.0.0.1');
  });

  test('removes a trailing slash from the public address', () => {
    expect(readConfig({ TIDINGS_PUBLIC_URL: 'https://tidings.example/' }).publicUrl).toBe('https://tidings.example');
  });

  test('requires a certificate and a key for TLS, and names the missing one', () => {
    const tls = { MLLP_TLS_CERT: 'c.pem', MLLP_TLS_KEY: 'k.pem' };
    expect(readConfig(tls).mllp.tls).toEqual({ cert: 'c.pem', key: 'k.pem' });
    expect(readConfig({ ...tls, MLLP_TLS_CA: 'a.pem' }).mllp.tls).toEqual({ cert: 'c.pem', key: 'k.pem', ca: 'a.pem' });
    expect(() => readConfig({ MLLP_TLS_CERT: 'c.pem' })).toThrow(/^MLLP_TLS_KEY must be set too/);
    expect(() => readConfig({ MLLP_TLS_CA: 'a.pem' })).toThrow(/^MLLP_TLS_CERT must be set too/);
  });

  test.each([
    ['PORT', 'abc', "PORT must be a whole number from 0 to 65535, but is 'abc'"],
    ['PORT', '-1', "PORT must be a whole number from 0 to 65535, but is '-1'"],
    ['MLLP_PORT', '65536', "MLLP_PORT must be a whole number from 0 to 65535, but is '65536'"],
    ['MLLP_PORT', '1e3', "MLLP_PORT must be a whole number from 0 to 65535, but is '1e3'"],
    ['TIDINGS_DEMO', 'yes', "TIDINGS_DEMO must be 'on' or 'off', but is 'yes'"],
    [
      'TIDINGS_ROLES',
      'web,db',
      "TIDINGS_ROLES must be a comma-separated list of web, feed and worker, but is 'web,db'",
    ],
    [
      'TIDINGS_PUBLIC_URL',
      'tidings',
      "TIDINGS_PUBLIC_URL must be a URL that starts with http:// or https://, but is 'tidings'",
    ],
    ['TIDINGS_SESSION_HOURS', '25', "TIDINGS_SESSION_HOURS must be a whole number from 1 to 24, but is '25'"],
    [
      'DATABASE_URL',
      'mysql://me:secret@db/x',
      'DATABASE_URL must be a URL that starts with postgres://; in its password, write / as %2F, ? as %3F, # as %23 and % as %25',
    ],
  ])('names %s=%s in one line', (name, value, line) => {
    expect(() => readConfig({ [name]: value })).toThrow(new ConfigError(line));
  });

  test('names every bad variable at once', () => {
    expect(() => readConfig({ PORT: 'x', TIDINGS_DEMO: 'x' })).toThrow(/^PORT must .*\nTIDINGS_DEMO must /);
  });

  test('is frozen', () => {
    expect(() => Object.assign(readConfig({}), { port: 1 })).toThrow(TypeError);
  });
});
