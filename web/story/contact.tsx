import type { InsurancePlanDetails } from '#contract/cohorts.ts';
import type { PatientDetails } from '#contract/patient-details.ts';
import { UNAVAILABLE } from '../patient/encounter-words.ts';
import { OwnNumber } from '../patient/telephone.tsx';
import { Facts } from '../ui/facts.tsx';
import { formatDate } from '../ui/format/date.ts';
import { groupedId } from '../ui/format/name.ts';
import { lines, None, Panel } from './panel.tsx';
import classes from './story.module.css';

const PHONE_TYPES = { HOME: 'Home', MOBILE: 'Mobile', OTHER: 'Phone' } as const;

const Plan = ({ plan }: { plan: InsurancePlanDetails }) => {
  const { value, memberId, canceled, insuranceCompanyName, insurancePlanName, insuranceTranslatedName, type } = plan;
  const names = [insuranceCompanyName, insuranceTranslatedName, insurancePlanName].filter(
    (name) => !value.toLowerCase().includes((name ?? '').toLowerCase()),
  );
  return (
    <>
      {value}
      <span className={classes.dim}>
        {[...new Set(names), type, memberId && `member ${groupedId(memberId)}`, canceled && 'no longer listed']
          .filter(Boolean)
          .map((detail) => ` · ${detail}`)}
      </span>
    </>
  );
};

/** How to reach the patient, and who pays. */
export const Contact = ({ patient }: { patient: PatientDetails }) => {
  if (!patient.detailsVisible)
    return (
      <Panel title="Contact and insurance">
        <None>You don't have access to this patient's address, phone numbers, insurance, or member IDs.</None>
      </Panel>
    );
  const { address, phoneNumbers, insurancePlans, currentPayor } = patient;
  const street = [
    address?.address1,
    address?.address2,
    address?.address3,
    address?.cityAndState,
    address?.zip ?? address?.standardizedZip,
  ];
  return (
    <Panel title="Contact and insurance">
      <Facts
        missing={UNAVAILABLE}
        facts={[
          [
            'Phone numbers',
            lines(
              [...Map.groupBy(phoneNumbers, ({ phone }) => phone.replace(/\D/g, '')).values()].map((same) => (
                <>
                  {same[0] && <OwnNumber patient={patient} name={PHONE_TYPES[same[0].type]} number={same[0].phone} />}
                  <span className={classes.dim}>
                    {same
                      .map(({ groupName, updatedDate, currentOrganization }) =>
                        [
                          groupName,
                          updatedDate && formatDate(updatedDate),
                          !currentOrganization && '(other organization)',
                        ]
                          .filter(Boolean)
                          .join(' '),
                      )
                      .map((source) => ` · ${source}`)}
                  </span>
                </>
              )),
            ),
          ],
          ['Address', street.filter(Boolean).join(', ') || null],
          ['Current payer', currentPayor],
          ['Insurance', lines(insurancePlans.map((plan) => <Plan key={plan.id} plan={plan} />))],
        ]}
      />
    </Panel>
  );
};
