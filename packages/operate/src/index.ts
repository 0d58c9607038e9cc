export { DOCTOR_LIMITS, type DoctorLimits } from './doctor/doctor-limits.js';
export { type Finding, type FindingCode, FINDINGS, type Severity } from './doctor/findings.js';
export { type DoctorReport, runDoctor } from './doctor/run-doctor.js';
export { describeSchema, type SchemaThing } from './doctor/sql/describe-schema.js';
/** Nothing yet. */
export type Nothing = never;
