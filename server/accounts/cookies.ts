import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionCookieName } from '#server/http/sessions.ts';

const DEVICE_COOKIE = 'tidings_device';
/** In seconds; browsers keep no cookie longer. */
const DEVICE_LIFE = 400 * 24 * 60 * 60;

/** The cookies of an account: of this host alone, out of reach of scripts, and over https only where that is how we are reached. */
export function accountCookies(publicUrl: string) {
  const session = sessionCookieName(publicUrl);
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:') } as const;
  return {
    read: ({ cookies }: FastifyRequest) => ({
      sessionToken: cookies[session],
      deviceToken: cookies[DEVICE_COOKIE],
    }),
    set(reply: FastifyReply, { sessionToken, deviceToken }: { sessionToken: string; deviceToken: string }): void {
      reply.setCookie(session, sessionToken, options);
      reply.setCookie(DEVICE_COOKIE, deviceToken, { ...options, maxAge: DEVICE_LIFE });
    },
    /**
     * A session without a device to remember. `isFramed`: our page stands in a frame of another site (an EHR), where over https only a
     * partitioned cookie is kept, that holds for frames in that site alone.
     */
    setSession(reply: FastifyReply, sessionToken: string, { isFramed }: { isFramed: boolean }): void {
      const inFrame = { sameSite: 'none', partitioned: true } as const;
      reply.setCookie(session, sessionToken, isFramed && options.secure ? { ...options, ...inFrame } : options);
    },
    /** The device stays known: whoever signs out here will be back. */
    clearSession: (reply: FastifyReply): void => void reply.clearCookie(session, options),
  };
}
