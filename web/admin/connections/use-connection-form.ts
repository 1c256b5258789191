import type { SsoConnection } from '#contract/admin.ts';
import { CONNECTION_TEXTS } from '#contract/admin-fields.ts';
import { type ApplicationExperience, EXPERIENCES_BY_SIGN_IN } from '#contract/experiences.ts';
import { call } from '../../api/call.ts';
import { useForm } from '../../forms/use-form.ts';
import { missingTexts } from '../required-texts.ts';
import type { EntryHandlers } from '../use-edited-list.ts';

export type SsoKind = SsoConnection['kind'];

/** The values as typed: lists have one entry per line. */
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
  applicationExperience: was?.applicationExperience ?? EXPERIENCES_BY_SIGN_IN[kind][0],
});

const lines = (text: string): string[] =>
  text
    .split(/[\n,;\s]+/)
    .map((line) => line.trim())
    .filter(Boolean);

/** Returns the certificates of a text that may contain several. */
const certificatesOf = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? (text.trim() ? [text.trim()] : []);

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** A SAML identity provider has an entity ID, which need not be a URL. */
const issuerError = ({ kind, issuer }: Values): string | undefined => {
  if (!issuer.trim()) return kind === 'SAML' ? 'Enter the entity ID.' : 'Enter the issuer.';
  if (kind === 'SAML' || isAddress(issuer.trim())) return undefined;
  return 'Enter the issuer as a URL that starts with https://.';
};

const check = (values: Values) => ({
  ...missingTexts(CONNECTION_TEXTS, { name: values.name }),
  issuer: issuerError(values),
  clientId: values.kind === 'SAML' || values.clientId.trim() ? undefined : 'Enter the client ID.',
  entryPoint:
    values.kind !== 'SAML' || isAddress(values.entryPoint.trim())
      ? undefined
      : 'Enter the sign-in URL. It starts with https://.',
  certificates:
    values.kind !== 'SAML' || values.certificates.includes('BEGIN CERTIFICATE')
      ? undefined
      : 'Paste the certificate as PEM, including the BEGIN and END CERTIFICATE lines.',
});

const fieldsOf = (values: Values) => ({
  kind: values.kind,
  name: values.name.trim(),
  isEnabled: values.isEnabled,
  domains: lines(values.domains.toLowerCase()),
  issuer: values.issuer.trim(),
  clientId: values.kind === 'SAML' ? null : values.clientId.trim(),
  entryPoint: values.kind === 'SAML' ? values.entryPoint.trim() : null,
  certificates: values.kind === 'SAML' ? certificatesOf(values.certificates) : [],
  allowedOrigins: values.kind === 'SMART' ? lines(values.allowedOrigins) : [],
  applicationExperience: values.applicationExperience,
  // If the field is empty, the saved secret stays.
  ...(values.clientSecret ? { clientSecret: values.clientSecret } : {}),
});

/** What the drawer of a connection reports to the list beside it. */
export interface ConnectionHandlers extends Omit<EntryHandlers, 'saved'> {
  /** `created`: the connection if it is a new one, otherwise null. */
  saved: (message: string, created: SsoConnection | null) => void;
  /** One of its domains was verified, or its approval revoked, which is not part of the form. */
  domainChanged: (connection: SsoConnection) => void;
}

export type ConnectionForm = ReturnType<typeof useConnectionForm>;

/** The form of one connection; `connection` is null for a new one. */
export const useConnectionForm = (
  kind: SsoKind,
  connection: SsoConnection | null,
  { saved, outdated, takeTheirs }: ConnectionHandlers,
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
  /** The error of a list as a whole, or the first error of its entries. */
  const errorUnder = (list: string): string | undefined =>
    form.errorOf(list) ?? Object.entries(form.errors).find(([path]) => path.startsWith(`${list}.`))?.[1];
  return { ...form, errorUnder };
};
