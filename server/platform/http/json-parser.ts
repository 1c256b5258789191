import type { FastifyInstance } from 'fastify';
import { badField } from './api-error.ts';

/** Far more than any call of the contract takes. Hundreds of thousands would occupy the server's thread for seconds. */
const MOST_VALUES = 20_000;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];

/** Makes the app count the values of a JSON body before it parses them. A body with too many is BAD_REQUEST. */
export function limitJsonValues(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  parseJson(app, 'application/json');
}

/** Makes the app take bodies of this type as JSON, with the same limit. */
export function parseJson(app: FastifyInstance, type: string): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(type, { parseAs: 'string' }, (request, body, done) => {
    // A client that names the type of every call sends none with a call that takes none. Others say what they miss.
    if (body === '') done(null, undefined);
    else if (hasTooManyValues(String(body))) done(badField('request', 'Too many values.'));
    else void parse(request, String(body), done);
  });
}

/** Returns whether the body has too many commas outside of texts: each separates two values. */
function hasTooManyValues(json: string): boolean {
  let commas = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isText = !isText;
    else if (isText && code === BACKSLASH) at += 1;
    else if (!isText && code === COMMA) commas += 1;
    if (commas > MOST_VALUES) return true;
  }
  return false;
}
