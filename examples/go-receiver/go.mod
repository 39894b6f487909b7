module afterbell.example/receiver

go 1.19
