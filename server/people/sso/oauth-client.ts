import * as client from 'openid-client';
import type { Connection } from './queries.ts';
import { allowsHttp } from './sso-urls.ts';

/** In seconds. */
const TIMEOUT = 10;

/**
 * What an OAuth server says of itself at `server`. ID tokens are believed for their signature, not for the line that they came by;
 * the library leaves that to the caller. Throws where the server cannot be reached or the document is not as it should be.
 */
export function discoverProvider(
  server: URL,
  { clientId, clientSecret }: Connection,
  publicUrl: string,
): Promise<client.Configuration> {
  const authentication = clientSecret === null ? client.None() : bySecret(clientSecret);
  const execute = [client.enableNonRepudiationChecks];
  if (allowsHttp(publicUrl)) execute.push(client.allowInsecureRequests);
  return client.discovery(server, clientId ?? '', undefined, authentication, { timeout: TIMEOUT, execute });
}

/** In the header, as OpenID Connect Core 1.0 (9) has it by default, unless the server takes secrets in the body only. */
function bySecret(secret: string): client.ClientAuth {
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const inBody = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    (inBody ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret))(server, ...rest);
  };
}
