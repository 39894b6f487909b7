export const BLS_HOST = 'www.bls.gov';
