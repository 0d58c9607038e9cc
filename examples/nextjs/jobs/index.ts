export { catalog } from './contracts';
export { handlers } from './handlers';
