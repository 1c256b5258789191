import type { SsoConnection } from '#contract/admin.ts';
import type { ApplicationExperience } from '#contract/experiences.ts';
import { call } from '../../api/call.ts';
import { useForm } from '../../forms/use-form.ts';
import type { EntryActs } from '../use-edited-list.ts';

export type SsoKind = SsoConnection['kind'];

/** The experiences that users of a connection may have; the first is what a new one gives. */
export const EXPERIENCES: Record<SsoKind, ApplicationExperience[]> = {
  OIDC: ['JANUS_AUTH0_SSO', 'ANAHIT_AUTH0_SSO'],
  SAML: ['JANUS_ENTERPRISE_SSO', 'ANAHIT_ENTERPRISE_SSO'],
  SMART: ['JANUS_EHR_SSO', 'HOS_EHR_SSO'],
};

/** As they are typed: lists stand one a line. */
interface Values {
  kind: SsoKind;
  name: string;
  isEnabled: boolean;
  domains: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  entryPoint: string;
  certificates: string;
  allowedOrigins: string;
  applicationExperience: ApplicationExperience;
}

const valuesOf = (kind: SsoKind, was: SsoConnection | null): Values => ({
  kind,
  name: was?.name ?? '',
  isEnabled: was?.isEnabled ?? false,
  domains: was?.domains.join('\n') ?? '',
  issuer: was?.issuer ?? '',
  clientId: was?.clientId ?? '',
  clientSecret: '',
  entryPoint: was?.entryPoint ?? '',
  certificates: was?.certificates.join('\n') ?? '',
  allowedOrigins: was?.allowedOrigins.join('\n') ?? '',
  applicationExperience: was?.applicationExperience ?? EXPERIENCES[kind][0] ?? 'JANUS',
});

const lines = (text: string): string[] =>
  text
    .split(/[\n,;\s]+/)
    .map((line) => line.trim())
    .filter(Boolean);

/** Each certificate of a text that holds several, one after the other. */
const certificatesOf = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? (text.trim() ? [text.trim()] : []);

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** A SAML identity provider has an entity id, which need not be an address. */
const wrongIssuer = ({ kind, issuer }: Values): string | undefined => {
  if (!issuer.trim()) return kind === 'SAML' ? 'Enter the entity id.' : 'Enter the issuer.';
  if (kind === 'SAML' || isAddress(issuer.trim())) return undefined;
  return 'The issuer is an address that begins with https://.';
};

const check = (values: Values) => ({
  name: values.name.trim() ? undefined : 'Enter the name.',
  issuer: wrongIssuer(values),
  clientId: values.kind === 'SAML' || values.clientId.trim() ? undefined : 'Enter the client id.',
  entryPoint:
    values.kind !== 'SAML' || isAddress(values.entryPoint.trim())
      ? undefined
      : 'Enter the address of the sign-in page: it begins with https://.',
  certificates:
    values.kind !== 'SAML' || values.certificates.includes('BEGIN CERTIFICATE')
      ? undefined
      : 'Paste the certificate as PEM, with its lines BEGIN and END CERTIFICATE.',
});

const fieldsOf = (values: Values) => ({
  kind: values.kind,
  name: values.name.trim(),
  isEnabled: values.isEnabled,
  domains: values.kind === 'SMART' ? [] : lines(values.domains.toLowerCase()),
  issuer: values.issuer.trim(),
  clientId: values.kind === 'SAML' ? null : values.clientId.trim(),
  entryPoint: values.kind === 'SAML' ? values.entryPoint.trim() : null,
  certificates: values.kind === 'SAML' ? certificatesOf(values.certificates) : [],
  allowedOrigins: values.kind === 'SMART' ? lines(values.allowedOrigins) : [],
  applicationExperience: values.applicationExperience,
  // Left empty, the secret that is there stays.
  ...(values.clientSecret ? { clientSecret: values.clientSecret } : {}),
});

/** What the drawer of a connection tells the list beside it; `created`: where it was a new one. */
export interface ConnectionActs extends Omit<EntryActs, 'saved'> {
  saved: (message: string, created: SsoConnection | null) => void;
}

export type ConnectionForm = ReturnType<typeof useConnectionForm>;

/** The form of one connection; `connection` is null for a new one. */
export const useConnectionForm = (
  kind: SsoKind,
  connection: SsoConnection | null,
  { saved, outdated, takeTheirs }: ConnectionActs,
) => {
  const form = useForm<Values, SsoConnection>({
    initial: valuesOf(kind, connection),
    check,
    keys: { NAME_TAKEN: 'name' },
    version: connection?.version,
    save: (values, version) =>
      connection
        ? call('PUT /api/admin/sso-connections/:id', {
            params: { id: connection.id },
            body: { ...fieldsOf(values), version },
          })
        : call('POST /api/admin/sso-connections', { body: fieldsOf(values) }),
    saved: (answer) => saved(`The connection ${answer.name} was saved.`, connection ? null : answer),
    outdated,
    takeTheirs,
  });
  /** The error of a list as a whole, or else the first one of its entries. */
  const errorUnder = (list: string): string | undefined =>
    form.errorOf(list) ?? Object.entries(form.errors).find(([path]) => path.startsWith(`${list}.`))?.[1];
  return { ...form, errorUnder };
};
