/**
 * Parts of common passwords of fifteen characters or more. A password made only of a few of these
 * parts is rejected; a phrase that contains other words is accepted.
 */
export const COMMON_PARTS: readonly string[] = `
  password passwort passw0rd p4ssw0rd p@ssword p@ssw0rd passphrase contrasena motdepasse senha
  letmein welcome willkommen bienvenue changeme change default secret geheim access login signin
  admin administrator root user guest test testing tester demo example sample temp temporary
  qwerty qwertz azerty qwertyuiop asdfghjkl zxcvbnm asdf zxcv qwer wasd qazwsx qaz wsx edc
  qwerty123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 3edc4rfv zaq12wsx
  abc abcd abcdef abcdefg abcdefghijklmnopqrstuvwxyz alphabet
  0123456789 1234567890 123456789 12345678 1234567 123456 12345 1234 123 321 4321 54321 654321
  987654321 9876543210 111 000 666 777 888 999 007 1111 0000 2000 2020 2021 2022 2023 2024 2025
  2026 2027 12 21 69 88 99
  iloveyou ilove loveyou lovely love forever babygirl princess sunshine sweetheart angel
  monkey dragon tiger lion eagle shadow master killer hunter ranger ninja samurai superman batman
  spiderman pokemon starwars trustno one football baseball basketball soccer hockey liverpool
  chelsea arsenal barcelona yankees cowboys lakers
  michael jessica ashley charlie jordan daniel thomas robert william jennifer michelle
  summer winter spring autumn january february march april june july august september october
  november december monday tuesday wednesday thursday friday saturday sunday
  freedom whatever nothing hello goodbye blessed jesus heaven computer internet google facebook
  microsoft windows apple samsung cookie chocolate banana cheese flower purple orange yellow
  silver golden money bitcoin wallet trading stocks earnings market finance company business
  please thisis this is my the and mypassword thisismypassword correct horse battery staple
  correcthorsebatterystaple tobeornottobe maytheforcebewithyou
  letmeinplease opensesame security secure private account server database support service
  manager office afterbell
`
  .trim()
  .split(/\s+/);
